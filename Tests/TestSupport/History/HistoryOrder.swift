/// Compares the order of the revisions in the answers of a history with the order in time.
struct HistoryOrder {
  /// The known revisions of a request.
  private struct Item {
    var sent: Int
    var answered: Int
    var tree: Int?
    var session: TreeHistory.State?
    /// True if the request made its revision of the tree.
    var raisesTree = false
    /// True if the request made its revision of the session.
    var raisesSession = false
    var name: String
  }

  /// A revision, and the request whose answer has it.
  private struct Seen {
    var revision: Int
    var name: String
  }

  private let history: TreeHistory
  /// The violations that were found.
  private(set) var violations: [String] = []

  init(_ history: TreeHistory) { self.history = history }

  /// Checks the order.
  ///
  /// - Parameter places: The known revisions of the tree by states of sessions.
  mutating func check(places: [TreeHistory.State: Int]) {
    let items = items(places)
    checkDistinct(items)
    checkTimes(items)
  }

  private mutating func fail(_ text: String) { violations.append("\(history.name): \(text)") }

  private func items(_ places: [TreeHistory.State: Int]) -> [Item] {
    var items: [Item] = []
    for (number, write) in history.writes.enumerated() {
      guard case .acknowledged(let list, let answered) = write.outcome else { continue }
      var item = Item(sent: write.sent, answered: answered, name: "write \(number)")
      item.tree = list.treeRevision
      item.raisesTree = write.changesTree
      if let session = write.session {
        item.session = TreeHistory.State(session: session, revision: list.revision)
        item.raisesSession = list.revision > list.previousRevision
      }
      items.append(item)
    }
    for (number, read) in history.reads.enumerated() {
      var item = Item(sent: read.sent, answered: read.answered, name: "read \(number)")
      switch read.content {
      case .page(let page):
        item.session = TreeHistory.State(session: page.session, revision: page.revision)
      case .changes(let session, let list):
        item.session = TreeHistory.State(session: session, revision: list.revision)
        item.tree = list.treeRevision
      case .tree(let revision, _), .export(let revision, _): item.tree = revision
      }
      if let state = item.session { item.tree = item.tree ?? places[state] }
      items.append(item)
    }
    return items
  }

  /// Checks that acknowledged writes have distinct revisions.
  private mutating func checkDistinct(_ items: [Item]) {
    var trees: [Int: String] = [:]
    var sessions: [TreeHistory.State: String] = [:]
    for item in items {
      if item.raisesTree, let revision = item.tree {
        if let other = trees.updateValue(item.name, forKey: revision) {
          fail("\(other) and \(item.name) both made revision \(revision) of the tree")
        }
      }
      if item.raisesSession, let state = item.session {
        if let other = sessions.updateValue(item.name, forKey: state) {
          fail("\(other) and \(item.name) both made revision \(state.revision) of a session")
        }
      }
    }
  }

  /// Checks that no request after an answer has an older state.
  private mutating func checkTimes(_ items: [Item]) {
    let sent = items.sorted { $0.sent < $1.sent }
    var answered = items.sorted { $0.answered < $1.answered }[...]
    var tree = Seen(revision: .min, name: "")
    var sessions: [Int: Seen] = [:]
    for item in sent {
      while let done = answered.first, done.answered < item.sent {
        answered.removeFirst()
        if let revision = done.tree, revision > tree.revision {
          tree = Seen(revision: revision, name: done.name)
        }
        if let state = done.session, state.revision > sessions[state.session]?.revision ?? .min {
          sessions[state.session] = Seen(revision: state.revision, name: done.name)
        }
      }
      if let revision = item.tree { compare(revision, tree, item.raisesTree, item.name) }
      if let state = item.session, let seen = sessions[state.session] {
        compare(state.revision, seen, item.raisesSession, item.name)
      }
    }
  }

  private mutating func compare(_ revision: Int, _ seen: Seen, _ raises: Bool, _ name: String) {
    guard raises ? revision <= seen.revision : revision < seen.revision else { return }
    fail("\(name) was sent after \(seen.name) had \(seen.revision), but has \(revision)")
  }
}

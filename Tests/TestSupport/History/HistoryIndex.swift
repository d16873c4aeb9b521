/// The requests of a history by the states that they are about.
struct HistoryIndex {
  /// A write with its number in the history.
  struct Numbered {
    var number: Int
    var write: TreeHistory.Write
    var list: ChangeList
  }

  /// A refused write, with the revisions of the tree between which it was refused.
  struct Refused {
    var number: Int
    var write: TreeHistory.Write
    var error: ModelError
    var revisions: ClosedRange<Int>
  }

  let history: TreeHistory
  /// The writes that made a revision of the tree.
  private(set) var data: [Int: Numbered] = [:]
  /// The writes of a view, by the state that they found.
  private(set) var views: [TreeHistory.State: [Numbered]] = [:]
  /// The numbers of the reads of a state.
  private(set) var reads: [TreeHistory.State: [Int]] = [:]
  /// The reads of the tree: its numbers of nodes.
  private(set) var trees: [Int: [Int]] = [:]
  /// The sessions that were made at a revision of the tree.
  private(set) var made: [Int: [Int]] = [:]
  /// The numbers of the writes without an answer, those sent first in front.
  private(set) var unknown: [Int] = []
  private(set) var refused: [Refused] = []
  /// The revisions of the tree that were told, ascending.
  private(set) var toldRevisions: [Int] = []
  /// The highest revision of each session that was told.
  private(set) var lastRevisions: [Int: Int] = [:]
  /// For each told revision of the tree, the time of the first answer with that one or a higher.
  private var firstSights: [Int] = []

  init(_ history: TreeHistory) {
    self.history = history
    var told: [Int: Int] = [history.firstRevision: .min]
    func tell(_ revision: Int, _ time: Int) { told[revision] = min(told[revision] ?? .max, time) }
    for (number, session) in history.sessions.enumerated() {
      made[session.treeRevision, default: []].append(number)
      lastRevisions[number] = session.revision
      tell(session.treeRevision, .max)
    }
    for (number, write) in history.writes.enumerated() {
      guard case .acknowledged(let list, let time) = write.outcome else { continue }
      tell(list.treeRevision, time)
      let numbered = Numbered(number: number, write: write, list: list)
      if write.changesTree { data[list.treeRevision] = numbered }
      guard let session = write.session else { continue }
      note(session, list.revision)
      if !write.changesTree {
        let state = TreeHistory.State(session: session, revision: list.previousRevision)
        views[state, default: []].append(numbered)
      }
    }
    for (number, read) in history.reads.enumerated() {
      switch read.content {
      case .page(let page): note(page.session, page.revision, read: number)
      case .changes(let session, let list):
        note(session, list.revision, read: number)
        tell(list.treeRevision, read.answered)
      case .tree(let revision, let count):
        trees[revision, default: []].append(count)
        tell(revision, read.answered)
      }
    }
    noteSights(told)
    noteUnanswered()
  }

  private mutating func note(_ session: Int, _ revision: Int, read: Int? = nil) {
    lastRevisions[session] = max(lastRevisions[session] ?? revision, revision)
    guard let read else { return }
    reads[TreeHistory.State(session: session, revision: revision), default: []].append(read)
  }

  private mutating func noteSights(_ told: [Int: Int]) {
    toldRevisions = told.keys.sorted()
    var first = Int.max
    firstSights = toldRevisions.reversed().map { revision in
      first = min(first, told[revision] ?? .max)
      return first
    }.reversed()
  }

  private mutating func noteUnanswered() {
    for (number, write) in history.writes.enumerated() {
      switch write.outcome {
      case .acknowledged: break
      case .unknown: unknown.append(number)
      case .refused(let error, let time):
        let item = Refused(
          number: number,
          write: write,
          error: error,
          revisions: revisions(from: write.sent, to: time)
        )
        refused.append(item)
      }
    }
    unknown.sort { history.writes[$0].sent < history.writes[$1].sent }
  }

  /// The revisions of the tree that a request between two times may have found.
  ///
  /// Batches without an answer may have made some of them, also after a jump.
  private func revisions(from sent: Int, to answered: Int) -> ClosedRange<Int> {
    var (low, high) = (history.firstRevision, Int.max)
    for write in data.values {
      guard case .acknowledged(_, let time) = write.write.outcome else { continue }
      if time < sent { low = max(low, write.list.treeRevision) }
      if write.write.sent > answered { high = min(high, write.list.treeRevision - 1) }
    }
    return low...max(low, high)
  }

  /// The lowest told revision of the tree above one; nil if there is none.
  func nextTold(after revision: Int) -> Int? { toldRevisions.first { $0 > revision } }

  /// The time of the first answer that told a revision of the tree, or a higher one.
  func firstSight(of revision: Int) -> Int {
    guard let place = toldRevisions.firstIndex(where: { $0 >= revision }) else { return .max }
    return firstSights[place]
  }
}

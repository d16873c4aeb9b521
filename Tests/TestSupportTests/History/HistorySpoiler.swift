import TestSupport

/// An error that turns a history into one that no linearizable tree has.
enum HistorySpoiler: CaseIterable {
  /// An acknowledged write is lost.
  case lostWrite
  /// A write is applied twice.
  case doubleWrite
  /// A page is older than an answer before it.
  case staleRead
  /// Two successive writes have each other's revisions.
  case swappedOrder
  /// A page has a different content than its revision.
  case forkedRevision
  /// A refused write was applied.
  case deniedWrite
  /// A page has a revision that does not exist later.
  case withdrawnRevision
  /// Two writes have the same revision.
  case sharedRevision
  /// An export has another node instead of one of the tree.
  case foreignLine

  /// Returns the history with the error; nil if it has no place for it.
  func spoil(_ tree: SimulatedTree, _ random: inout SeededGenerator) -> TreeHistory? {
    var history = tree.history
    let isDone =
      switch self {
      case .lostWrite: loseWrite(&history, tree, &random)
      case .doubleWrite: doubleWrite(&history, tree, &random)
      case .staleRead: makeStale(&history, &random)
      case .swappedOrder: swapOrder(&history, &random)
      case .forkedRevision: fork(&history, &random)
      case .deniedWrite: denyWrite(&history, &random)
      case .withdrawnRevision: withdraw(&history, &random)
      case .sharedRevision: shareRevision(&history, &random)
      case .foreignLine: replaceLine(&history, &random)
      }
    return isDone ? history : nil
  }

  private func loseWrite(
    _ history: inout TreeHistory,
    _ tree: SimulatedTree,
    _ random: inout SeededGenerator
  ) -> Bool {
    let number = random.element(of: tree.phantoms.keys.sorted())
    guard let number, let list = tree.phantoms[number] else { return false }
    history.writes[number].outcome = .acknowledged(list, at: history.writes[number].sent + 40)
    return true
  }

  private func doubleWrite(
    _ history: inout TreeHistory,
    _ tree: SimulatedTree,
    _ random: inout SeededGenerator
  ) -> Bool {
    guard let last = tree.sessionRevisions.keys.max() else { return false }
    let revisions = history.dataWrites.compactMap { history.writes[$0].list?.treeRevision }
    // The error is not detectable after the last revision or before a jump.
    let chosen = revisions.filter { $0 + 1 < last && tree.sessionRevisions[$0 + 1] != nil }
    guard let revision = random.element(of: chosen),
      let sessions = tree.sessionRevisions[revision]
    else { return false }
    history.shift(after: revision, sessions)
    return true
  }

  private func makeStale(_ history: inout TreeHistory, _ random: inout SeededGenerator) -> Bool {
    let pages = history.pages
    for _ in 0..<200 {
      guard let (place, page) = random.element(of: pages),
        let (_, older) = random.element(of: pages), older.session == page.session
      else { continue }
      let sent = history.reads[place].sent
      let isSeen = pages.contains { other, seen in
        seen.session == older.session && seen.revision > older.revision
          && history.reads[other].answered < sent
      }
      guard isSeen else { continue }
      history.reads[place].content = .page(older)
      return true
    }
    return false
  }

  private func swapOrder(_ history: inout TreeHistory, _ random: inout SeededGenerator) -> Bool {
    let all = history.dataWrites
    for _ in 0..<200 {
      guard let first = random.element(of: all), let second = random.element(of: all),
        case .acknowledged(var old, let time) = history.writes[first].outcome,
        case .acknowledged(var new, let end) = history.writes[second].outcome,
        time < history.writes[second].sent
      else { continue }
      swap(&old.treeRevision, &new.treeRevision)
      if history.writes[first].session == history.writes[second].session {
        swap(&old.revision, &new.revision)
        swap(&old.previousRevision, &new.previousRevision)
      }
      history.writes[first].outcome = .acknowledged(old, at: time)
      history.writes[second].outcome = .acknowledged(new, at: end)
      return true
    }
    return false
  }

  private func fork(_ history: inout TreeHistory, _ random: inout SeededGenerator) -> Bool {
    let full = history.pages.filter { !$0.1.rows.isEmpty }
    guard case (let place, var page)? = random.element(of: full) else { return false }
    let row = random.number(in: 0...page.rows.count - 1)
    let text = page.rows[row].text.replacing("\"selected\":", with: "\"selected\":!")
      .replacing("!false", with: "true!").replacing("!true", with: "false")
      .replacing("true!", with: "true")
    guard let json = try? RawJSON(parsing: Array(text.utf8)) else { return false }
    page.rows[row] = json
    history.reads[place].content = .page(page)
    return true
  }

  private func denyWrite(_ history: inout TreeHistory, _ random: inout SeededGenerator) -> Bool {
    // The later inserted node must then be explained.
    guard let number = random.element(of: history.dataWrites),
      case .acknowledged(_, let time) = history.writes[number].outcome
    else { return false }
    let error = ModelError(code: .nodeNotFound, operation: 0)
    history.writes[number].outcome = .refused(error, at: time)
    return true
  }

  private func withdraw(_ history: inout TreeHistory, _ random: inout SeededGenerator) -> Bool {
    guard case (let place, var page)? = random.element(of: history.pages) else { return false }
    let revisions = history.pages.filter { $0.1.session == page.session }.map(\.1.revision)
    page.revision = (revisions.max() ?? 0) + 1
    history.reads[place].content = .page(page)
    return true
  }

  private func shareRevision(
    _ history: inout TreeHistory,
    _ random: inout SeededGenerator
  ) -> Bool {
    let all = history.dataWrites
    guard let first = random.element(of: all), let second = random.element(of: all),
      first != second, let list = history.writes[first].list,
      case .acknowledged(var other, let time) = history.writes[second].outcome
    else { return false }
    other.treeRevision = list.treeRevision
    history.writes[second].outcome = .acknowledged(other, at: time)
    return true
  }
}

extension HistorySpoiler {
  private func replaceLine(_ history: inout TreeHistory, _ random: inout SeededGenerator) -> Bool {
    let exports = history.reads.indices.filter {
      if case .export = history.reads[$0].content { true } else { false }
    }
    guard let place = random.element(of: exports),
      case .export(let revision, var lines) = history.reads[place].content, !lines.isEmpty
    else { return false }
    lines[random.number(in: 0...lines.count - 1)] = .null
    history.reads[place].content = .export(revision: revision, lines: lines)
    return true
  }
}

extension TreeHistory {
  /// The numbers of the acknowledged writes that changed the tree.
  fileprivate var dataWrites: [Int] {
    writes.indices.filter { writes[$0].changesTree && writes[$0].list != nil }
  }

  /// The pages with their indexes among the reads.
  fileprivate var pages: [(Int, Page)] {
    reads.enumerated().compactMap { place, read in
      if case .page(let page) = read.content { (place, page) } else { nil }
    }
  }

  /// Increments all revisions of the tree above one, and the corresponding ones of its sessions.
  fileprivate mutating func shift(after revision: Int, _ sessions: [Int]) {
    func tree(_ value: Int) -> Int { value > revision ? value + 1 : value }
    func session(_ number: Int, _ value: Int) -> Int {
      value > sessions[number] ? value + 1 : value
    }
    func shifted(_ list: ChangeList, _ number: Int?) -> ChangeList {
      var list = list
      list.treeRevision = tree(list.treeRevision)
      list.previousRevision =
        number.map { session($0, list.previousRevision) } ?? tree(list.previousRevision)
      list.revision = number.map { session($0, list.revision) } ?? tree(list.revision)
      return list
    }
    for place in writes.indices {
      guard case .acknowledged(let list, let time) = writes[place].outcome else { continue }
      writes[place].outcome = .acknowledged(shifted(list, writes[place].session), at: time)
    }
    for place in reads.indices {
      switch reads[place].content {
      case .page(var page):
        page.revision = session(page.session, page.revision)
        reads[place].content = .page(page)
      case .changes(let number, let list):
        reads[place].content = .changes(session: number, shifted(list, number))
      case .tree(let value, let count):
        reads[place].content = .tree(revision: tree(value), nodeCount: count)
      case .export(let value, let lines):
        reads[place].content = .export(revision: tree(value), lines: lines)
      }
    }
  }
}

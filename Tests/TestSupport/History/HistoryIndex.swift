/// The requests of a history, indexed by their states.
struct HistoryIndex {
  /// A write with its number in the history.
  struct Numbered {
    var number: Int
    var write: TreeHistory.Write
    var list: ChangeList
  }

  /// A refused write, with the revisions of the tree at which it can have been refused.
  struct Refused {
    var number: Int
    var write: TreeHistory.Write
    var error: ModelError
    var revisions: ClosedRange<Int>
  }

  /// The lowest revisions at which answers show a batch without an answer.
  struct Need {
    var tree = Int.max
    var sessions: [Int: Int] = [:]
  }

  let history: TreeHistory
  /// The writes by the revision of the tree that they made.
  private(set) var data: [Int: Numbered] = [:]
  /// The writes that change only a view, by the state before them.
  private(set) var views: [TreeHistory.State: [Numbered]] = [:]
  /// The numbers of reads by state.
  private(set) var reads: [TreeHistory.State: [Int]] = [:]
  /// The numbers of reads of the tree, by revision.
  private(set) var trees: [Int: [Int]] = [:]
  /// The sessions by the revision of the tree at their creation.
  private(set) var made: [Int: [Int]] = [:]
  /// The numbers of writes without an answer, in the order of sending.
  private(set) var unknown: [Int] = []
  private(set) var refused: [Refused] = []
  /// The revisions of the tree in answers, ascending.
  private(set) var seenRevisions: [Int] = []
  /// The revisions of each session in answers, ascending.
  private var sessionRevisions: [Int: [Int]] = [:]
  /// The needs of writes by number.
  private(set) var needs: [Int: Need] = [:]
  /// The time of the first answer with at least this revision, for each seen revision.
  private var firstTimes: [Int] = []

  init(_ history: TreeHistory) {
    self.history = history
    var times: [Int: Int] = [history.firstRevision: .min]
    func see(_ revision: Int, _ time: Int) { times[revision] = min(times[revision] ?? .max, time) }
    for (number, session) in history.sessions.enumerated() {
      made[session.treeRevision, default: []].append(number)
      sessionRevisions[number] = [session.revision]
      see(session.treeRevision, .max)
    }
    for (number, write) in history.writes.enumerated() {
      guard case .acknowledged(let list, let time) = write.outcome else { continue }
      see(list.treeRevision, time)
      let numbered = Numbered(number: number, write: write, list: list)
      if write.changesTree { data[list.treeRevision] = numbered }
      guard let session = write.session else { continue }
      record(session, list.revision)
      if !write.changesTree {
        let state = TreeHistory.State(session: session, revision: list.previousRevision)
        views[state, default: []].append(numbered)
      }
    }
    for (number, read) in history.reads.enumerated() {
      switch read.content {
      case .page(let page): record(page.session, page.revision, read: number)
      case .changes(let session, let list):
        record(session, list.revision, read: number)
        see(list.treeRevision, read.answered)
      case .tree(let revision, _), .export(let revision, _):
        trees[revision, default: []].append(number)
        see(revision, read.answered)
      }
    }
    for session in sessionRevisions.keys { sessionRevisions[session]?.sort() }
    recordTimes(times)
    recordUnacknowledged()
    recordNeeds()
  }

  private mutating func record(_ session: Int, _ revision: Int, read: Int? = nil) {
    sessionRevisions[session, default: []].append(revision)
    guard let read else { return }
    reads[TreeHistory.State(session: session, revision: revision), default: []].append(read)
  }

  private mutating func recordTimes(_ times: [Int: Int]) {
    seenRevisions = times.keys.sorted()
    var first = Int.max
    firstTimes = seenRevisions.reversed().map { revision in
      first = min(first, times[revision] ?? .max)
      return first
    }.reversed()
  }

  private mutating func recordUnacknowledged() {
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

  /// Returns the revisions of the tree that a request between two times can have read.
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

  /// Notes that a read of the tree shows a batch.
  mutating func need(_ number: Int, at revision: Int) {
    needs[number, default: Need()].tree = min(needs[number]?.tree ?? .max, revision)
  }

  /// Notes that a read of a session shows a batch.
  mutating func need(_ number: Int, in session: Int, at revision: Int) {
    let known = needs[number]?.sessions[session] ?? .max
    needs[number, default: Need()].sessions[session] = min(known, revision)
  }

  /// The states of sessions in answers.
  var states: [TreeHistory.State] { Array(reads.keys) + views.keys }

  /// Returns the lowest revision of a session in answers above a revision; nil if there is none.
  func nextSeen(of session: Int, after revision: Int) -> Int? {
    sessionRevisions[session]?.first { $0 > revision }
  }

  /// Returns the lowest seen revision of the tree above a revision; nil if there is none.
  func nextSeen(after revision: Int) -> Int? { seenRevisions.first { $0 > revision } }

  /// Returns the time of the first answer with at least a revision of the tree.
  func firstTime(of revision: Int) -> Int {
    guard let place = seenRevisions.firstIndex(where: { $0 >= revision }) else { return .max }
    return firstTimes[place]
  }
}

import TestSupport

/// A linearizable tree that the model serves to clients with concurrent requests.
///
/// Each request takes effect at a moment between its sending and its answer. At random moments an
/// answer is lost, or the tree continues at a multiple of 1 000. A write whose answer was lost may
/// take effect while its client goes on.
final class SimulatedTree {
  /// The frequency of failures: one in so many writes or moments.
  struct Failures {
    var unknownWrites = 12
    var jumps = 60

    /// Many failures, so that many writes have no answer and several may precede a jump.
    static let many = Failures(unknownWrites: 4, jumps: 12)
  }

  /// A client and its current request.
  private struct Client {
    var writer: HistoryWriter
    var request: Request?
  }

  private enum Request {
    case write(Int)
    case page(session: Int)
    case changes(session: Int, since: Int)
    case tree
  }

  /// The moment at which a request takes effect.
  private struct Moment {
    var time: Int
    var client: Int
    var sent: Int
    /// The write that takes effect then, without its client; nil for the request of the client.
    var late: Int?
  }

  private struct Member {
    var model: ModelSession
    var revision: Int
    var indices: [Int: Int]
    /// The first revision after the last jump.
    var start: Int
  }

  /// The requests and answers.
  private(set) var history: TreeHistory
  /// The change lists that writes without an answer would have had, for those not applied.
  private(set) var phantoms: [Int: ChangeList] = [:]
  /// The revisions of the sessions at the beginning of each revision of the tree.
  private(set) var sessionRevisions: [Int: [Int]] = [:]
  private var random: SeededGenerator
  private let shared: ModelSharedTree
  private var revision = 0
  private var members: [Member] = []
  private var clients: [Client] = []
  private var moments: [Moment] = []
  private var clock = 0
  private let seed: UInt64
  private let failures: Failures

  /// Simulates a number of requests.
  init(
    seed: UInt64,
    clients count: Int = 4,
    requests: Int,
    failures: Failures = Failures()
  ) throws {
    self.seed = seed
    self.failures = failures
    random = SeededGenerator(seed: seed)
    history = TreeHistory(name: "seed \(seed)", options: HistoryWriter.tree)
    shared = try ModelSharedTree(HistoryWriter.tree)
    for number in 0..<count {
      clients.append(Client(writer: HistoryWriter(number: number, of: count, seed: seed)))
    }
    for number in 0..<3 { try makeSession(by: number % count) }
    for number in clients.indices { begin(number, at: clock + random.number(in: 1...9)) }
    var rest = requests
    while !moments.isEmpty {
      let next = moments.indices.min { moments[$0].time < moments[$1].time } ?? 0
      try perform(moments.remove(at: next), continues: rest > 0)
      rest -= 1
      if random.oneIn(failures.jumps) { jump() }
    }
    for session in members.indices { try readAtEnd(.page(session: session)) }
    try readAtEnd(.tree)
  }

  private func makeSession(by client: Int) throws {
    let options = clients[client].writer.sessionOptions()
    let model = try ModelSession(options, over: shared)
    members.append(Member(model: model, revision: 0, indices: [0: 0], start: 0))
    let made = TreeHistory.Session(options: options, revision: 0, treeRevision: revision)
    history.sessions.append(made)
    sessionRevisions[revision] = members.map(\.revision)
  }

  private func jump() {
    revision = (max(revision, members.map(\.revision).max() ?? 0) / 1_000 + 1) * 1_000
    for place in members.indices {
      members[place].revision = revision
      members[place].indices[revision] = members[place].model.revision
      members[place].start = revision
    }
    sessionRevisions[revision] = members.map(\.revision)
  }

  // MARK: - Requests

  /// Sends a request of a client, which takes effect later.
  private func begin(_ client: Int, at sent: Int) {
    clients[client].request = request(of: client, sent)
    moments.append(Moment(time: sent + random.number(in: 1...20), client: client, sent: sent))
  }

  private func request(of client: Int, _ sent: Int) -> Request {
    let session = random.number(in: 0...members.count - 1)
    switch random.number(in: 0...9) {
    case 0: return .tree
    case 1...2: return .page(session: session)
    case 3:
      let member = members[session]
      let first = max(member.start, member.revision - 6)
      return .changes(session: session, since: random.number(in: first...member.revision))
    case 4...5:
      let operations = clients[client].writer.viewBatch()
      let write = TreeHistory.Write(session: session, operations: operations, sent: sent)
      history.writes.append(write)
    default:
      let isOfTree = random.oneIn(3)
      let isImport = isOfTree && random.oneIn(3)
      let operations =
        isImport ? clients[client].writer.importBatch() : clients[client].writer.dataBatch()
      let place = isOfTree ? nil : session
      history.writes.append(TreeHistory.Write(session: place, operations: operations, sent: sent))
    }
    return .write(history.writes.count - 1)
  }

  private func perform(_ moment: Moment, continues: Bool) throws {
    if let late = moment.late { return try perform(late, by: moment.client, .max) }
    guard let request = clients[moment.client].request else { return }
    let answered = moment.time + random.number(in: 1...20)
    clock = max(clock, answered)
    switch request {
    case .write(let number):
      if history.writes[number].changesTree, random.oneIn(2 * failures.unknownWrites) {
        var late = moment
        late.time += random.number(in: 1...200)
        late.late = number
        moments.append(late)
      } else {
        try perform(number, by: moment.client, answered)
      }
    default:
      if let content = content(of: request) {
        let read = TreeHistory.Read(sent: moment.sent, answered: answered, content: content)
        history.reads.append(read)
      }
    }
    if continues { begin(moment.client, at: answered + random.number(in: 1...9)) }
  }

  private func readAtEnd(_ request: Request) throws {
    guard let content = content(of: request) else { return }
    history.reads.append(
      TreeHistory.Read(sent: clock + 1, answered: clock + 2, content: content)
    )
    clock += 2
  }

  private func content(of request: Request) -> TreeHistory.Content? {
    switch request {
    case .write: return nil
    case .tree:
      guard random.oneIn(2) else {
        return .tree(revision: revision, nodeCount: shared.nodeCount)
      }
      return .export(revision: revision, lines: shared.exportedLines)
    case .page(let session):
      let rows = members[session].model.rows
      let offset = random.number(in: 0...rows.count)
      let json = rows[offset...].prefix(40).compactMap { try? RawJSON(parsing: $0.json()) }
      return .page(
        TreeHistory.Page(
          session: session,
          revision: members[session].revision,
          rowCount: rows.count,
          offset: offset,
          rows: json
        )
      )
    case .changes(let session, let since):
      let member = members[session]
      // The revision is before a jump, and its history is gone.
      guard since >= member.start, let index = member.indices[since] else { return nil }
      var list = list(member.model, since: index)
      list.origin = member.model.origin(since: index)
      (list.previousRevision, list.revision) = (since, member.revision)
      return .changes(session: session, list)
    }
  }

  private func list(_ model: ModelSession, since index: Int) -> ChangeList {
    let moves = model.moves(since: index)
    return list(from: model.picture(at: index), to: model.picture, moves)
  }

  private func list(
    from before: ModelPicture,
    to after: ModelPicture,
    _ moves: ModelMoves
  ) -> ChangeList {
    let reference = ReferenceChangeList(before: before, after: after, moves: moves)
    var list = reference.list(ranges: random.oneIn(3), includeRows: false)
    list.rowCount = after.rows.count
    (list.treeRevision, list.nodeCount) = (revision, shared.nodeCount)
    return list
  }

  // MARK: - Writes

  /// Has a write take effect.
  ///
  /// - Parameter answered: The time of its answer; the greatest number if nobody waits for it.
  private func perform(_ number: Int, by client: Int, _ answered: Int) throws {
    let write = history.writes[number]
    let session = write.session
    let before = session.map { members[$0].model.picture }
    let isLate = answered == .max
    let isUnknown = isLate || write.changesTree && random.oneIn(failures.unknownWrites)
    let isDropped = isUnknown && !isLate && random.oneIn(2)
    do throws(ModelError) {
      let (outcome, after) = try shared.apply(
        write.operations,
        of: session.map { members[$0].model },
        isDryRun: isDropped
      )
      var list = ChangeList()
      if let before, let after { list = self.list(from: before, to: after, outcome.moves) }
      list.previousRevision = session.map { members[$0].revision } ?? revision
      let raises = outcome.stateChanged || outcome.ruleChanged
      list.revision = list.previousRevision + (raises ? 1 : 0)
      list.treeRevision = revision + (write.changesTree ? 1 : 0)
      list.nodeCount = shared.nodeCount
      if isDropped {
        phantoms[number] = list
        return
      }
      if write.changesTree { raiseTree() } else if let session, raises { raise(session) }
      clients[client].writer.recordApplied(write.operations)
      if !isUnknown { history.writes[number].outcome = .acknowledged(list, at: answered) }
    } catch {
      if !isUnknown { history.writes[number].outcome = .refused(error, at: answered) }
    }
  }

  private func raiseTree() {
    revision += 1
    for place in members.indices { raise(place) }
    sessionRevisions[revision] = members.map(\.revision)
  }

  private func raise(_ session: Int) {
    members[session].revision += 1
    members[session].indices[members[session].revision] = members[session].model.revision
  }
}

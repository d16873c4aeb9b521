import Glibc
import HTTP
import TestSupport

/// A client of a shared tree that writes, reads and follows, also during faults of the instances.
struct HistoryClient {
  private let name: String
  private let shared: SharedHistory
  private let ports: [UInt16]
  private var writer: HistoryWriter
  private var random: SeededGenerator
  private var line: RovingLine
  private var requests = 0
  /// Requests with a token, with their answers.
  private var answered: [(ask: Ask, answer: Answer)] = []
  /// The last known revision of each session.
  private var known: [Int: Int] = [:]

  private static let maxSessions = 4

  /// Creates the client with a number.
  init(number: Int, _ shared: SharedHistory, ports: [UInt16], seed: UInt64) {
    name = "\(shared.tree).\(number)"
    self.shared = shared
    self.ports = ports
    writer = HistoryWriter(number: number, of: shared.clients, seed: seed)
    random = SeededGenerator(seed: name.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) })
    let lineRandom = SeededGenerator(seed: random.next())
    line = RovingLine(ports: ports, random: lineRandom, secret: Deployment.key)
  }

  /// The efforts of a client to get answers.
  struct Effort: Sendable {
    /// The number of attempts without an answer, or with a refusal to retry.
    var retries = 0
    /// The longest time that a request took.
    var longestWait = RovingLine.Wait()
  }

  /// Sends requests until the history is declared over.
  mutating func run() throws -> Effort {
    try makeSession()
    while !shared.isOver {
      let sessions = shared.places.count
      switch random.number(in: 0...18) {
      case 0 where sessions < Self.maxSessions: try makeSession()
      case 0...6: try write(ofTree: random.oneIn(3))
      case 7...8: try write(in: random.number(in: 0...sessions - 1), writer.viewBatch())
      case 9...10: try follow(random.number(in: 0...sessions - 1))
      case 11: try followEvents(of: random.number(in: 0...sessions - 1))
      case 12: try readTree()
      case 13: try importNodes()
      case 14: try export()
      case 15: try repeatRequest()
      default: try readPage(random.number(in: 0...sessions - 1))
      }
      usleep(UInt32(random.number(in: 1...40)) * 1_000)
    }
    return Effort(retries: line.losses + line.refusals, longestWait: line.longestWait)
  }

  /// Reads all sessions and the tree at the end.
  mutating func readAll() throws {
    for session in shared.places.indices { try readPage(session) }
    try readTree()
  }

  private mutating func token() -> [(name: String, value: String)] {
    requests += 1
    return [(name: "Idempotency-Key", value: "\(name).\(requests)")]
  }

  /// The field that authenticates a request of a session, with the session's secret or the key.
  private mutating func field(of session: Int) -> (name: String, value: String) {
    let secret = random.oneIn(2) ? shared.places[session].secret : Deployment.key
    return ("Authorization", "Bearer \(secret)")
  }

  private func fail(_ ask: Ask, _ answer: Answer) -> WireError {
    WireError("\(name): \(ask.method.rawValue) \(ask.target): \(answer.status) \(answer.text)")
  }

  // MARK: - Writing

  private mutating func makeSession() throws {
    let options = writer.sessionOptions()
    let ask = Ask(.post, "/v1/sessions", options.json(tree: shared.tree), fields: token())
    guard let answer = try line.send(ask) else { return }
    let json = try answer.json()
    guard answer.status == 201, let path = answer["Location"],
      let revision = json["revision"]?.integer, let tree = json["treeRevision"]?.integer,
      let secret = json["secret"]?.string
    else { throw fail(ask, answer) }
    answered.append((ask, answer))
    shared.add(
      TreeHistory.Session(options: options, revision: revision, treeRevision: tree),
      SharedHistory.Place(path: path, secret: secret)
    )
  }

  private mutating func write(ofTree isOfTree: Bool) throws {
    let session = isOfTree ? nil : random.number(in: 0...shared.places.count - 1)
    try write(in: session, writer.dataBatch())
  }

  private mutating func write(in session: Int?, _ operations: [ModelOperation]) throws {
    let target = session.map { shared.places[$0].path } ?? "/v1/trees/\(shared.tree)"
    var ask = Ask(.post, "\(target)/batch", ModelOperation.batch(operations), fields: token())
    if let session { ask.fields.append(field(of: session)) }
    try send(ask, in: session, operations)
  }

  /// Imports a node with descendants.
  private mutating func importNodes() throws {
    let operations = writer.importBatch()
    let body = ModelOperation.importLines(operations)
    let fields = token() + [(name: "Content-Type", value: "application/x-ndjson")]
    let ask = Ask(.post, "/v1/trees/\(shared.tree)/import", body, fields: fields)
    try send(ask, in: nil, operations)
  }

  /// Sends a request again that was answered before, and expects the same answer.
  private mutating func repeatRequest() throws {
    guard let (ask, old) = random.element(of: answered), let answer = try line.send(ask) else {
      return
    }
    guard answer.status == old.status, answer.body == old.body,
      answer["Idempotency-Replayed"] == "true"
    else { throw WireError("\(fail(ask, answer)), at first \(old.status) \(old.text)") }
  }

  private mutating func send(_ ask: Ask, in session: Int?, _ operations: [ModelOperation]) throws {
    var write = TreeHistory.Write(session: session, operations: operations, sent: 0)
    write.sent = SharedHistory.now
    let number = shared.add(write)
    guard let answer = try line.send(ask, mayGiveUp: write.changesTree) else {
      return writer.recordApplied(operations)
    }
    let time = SharedHistory.now
    let json = try answer.json()
    guard answer.status != 200 else {
      writer.recordApplied(operations)
      answered.append((ask, answer))
      return shared.end(number, .acknowledged(try list(json, ofTree: session == nil), at: time))
    }
    guard let code = json["code"]?.string.flatMap(ModelErrorCode.init),
      let operation = json["operation"]?.integer ?? json["line"]?.integer.map({ $0 - 1 })
    else { throw fail(ask, answer) }
    shared.end(number, .refused(ModelError(code: code, operation: operation), at: time))
  }

  private func list(_ json: RawJSON, ofTree isOfTree: Bool) throws -> ChangeList {
    guard isOfTree else { return try ChangeList(json) }
    guard let previous = json["previousRevision"]?.integer,
      let revision = json["revision"]?.integer, let count = json["nodeCount"]?.integer
    else { throw WireError("\(name): this is no answer to a batch: \(json.text)") }
    var list = ChangeList()
    (list.previousRevision, list.revision, list.treeRevision) = (previous, revision, revision)
    list.nodeCount = count
    return list
  }

  // MARK: - Reading

  /// Sends a read. Returns nil for an answer with another expected status, or none.
  private mutating func read(
    _ target: String,
    of session: Int? = nil,
    expecting others: [Int] = []
  ) throws -> Answer? {
    let ask = Ask(.get, target, fields: session.map { [field(of: $0)] } ?? [])
    guard let answer = try line.send(ask) else { return nil }
    if others.contains(answer.status) { return nil }
    guard answer.status == 200 else { throw fail(ask, answer) }
    return answer
  }

  private func record(_ content: TreeHistory.Content) {
    let (sent, answered) = (line.lastSent, SharedHistory.now)
    shared.add(TreeHistory.Read(sent: sent, answered: answered, content: content))
  }

  private mutating func readPage(_ session: Int) throws {
    let offset = random.oneIn(3) ? random.number(in: 0...12) : 0
    let limit = random.oneIn(3) ? random.number(in: 1...20) : 1_000
    let target = "\(shared.places[session].path)/rows?offset=\(offset)&limit=\(limit)"
    guard let json = try read(target, of: session, expecting: [416])?.json() else { return }
    guard let revision = json["revision"]?.integer, let count = json["rowCount"]?.integer,
      let first = json["offset"]?.integer, let rows = json["rows"]?.elements
    else { throw WireError("\(name): this is no page: \(json.text)") }
    known[session] = revision
    let page = TreeHistory.Page(
      session: session,
      revision: revision,
      rowCount: count,
      offset: first,
      rows: rows
    )
    record(.page(page))
  }

  private mutating func readTree() throws {
    guard let json = try read("/v1/trees/\(shared.tree)")?.json(),
      let revision = json["revision"]?.integer, let count = json["nodeCount"]?.integer
    else { return }
    record(.tree(revision: revision, nodeCount: count))
  }

  private mutating func export() throws {
    guard let answer = try read("/v1/trees/\(shared.tree)/export"),
      let revision = answer["ETag"].flatMap({ Int($0.filter { $0 != "\"" }) })
    else { return }
    let lines = try answer.body.split(separator: UInt8(ascii: "\n"))
      .map { try RawJSON(parsing: Array($0)) }
    record(.export(revision: revision, lines: lines))
  }

  /// Follows an event stream for a while, or until the stream is lost.
  ///
  /// An event has no time at which it was requested.
  private mutating func followEvents(of session: Int) throws {
    guard let since = known[session] else { return try readPage(session) }
    let port = random.choice(ports)
    guard let connection = try? BlockingConnection(port: port, patienceSeconds: 1) else { return }
    var ask = Ask(.get, "\(shared.places[session].path)/changes")
    ask.fields = [
      ("Accept", "text/event-stream"), ("Last-Event-ID", "\(since)"), field(of: session),
    ]
    guard (try? connection.send(ask.bytes)) != nil,
      let stream = try? EventStreamClient(asked: connection)
    else { return }
    let end = SharedHistory.now + random.number(in: 0...1_500) * 1_000_000
    while SharedHistory.now < end, let event = try? stream.next() {
      guard event.type == "changes" else { return known[session] = nil }
      let list = try ChangeList(try event.json())
      known[session] = list.revision
      let content = TreeHistory.Content.changes(session: session, list)
      shared.add(TreeHistory.Read(sent: .min, answered: SharedHistory.now, content: content))
    }
  }

  /// Reads the changes since the last known revision, with or without waiting.
  private mutating func follow(_ session: Int) throws {
    guard let since = known[session] else { return try readPage(session) }
    let wait = random.oneIn(3) ? "&wait=1" : ""
    let target = "\(shared.places[session].path)/changes?since=\(since)\(wait)"
    // The history is bounded, and is empty after the tree was loaded again.
    guard let json = try read(target, of: session, expecting: [410])?.json() else {
      known[session] = nil
      return
    }
    let list = try ChangeList(json)
    known[session] = list.revision
    record(.changes(session: session, list))
  }
}

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
    line = RovingLine(ports: ports, random: SeededGenerator(seed: random.next()))
  }

  /// Sends requests until the history is declared over.
  ///
  /// - Returns: The number of attempts without an answer, or with a refusal to retry.
  mutating func run() throws -> Int {
    try makeSession()
    while !shared.isOver {
      let sessions = shared.paths.count
      switch random.number(in: 0...15) {
      case 0 where sessions < Self.maxSessions: try makeSession()
      case 0...6: try write(ofTree: random.oneIn(3))
      case 7...8: try write(in: random.number(in: 0...sessions - 1), writer.viewBatch())
      case 9...10: try follow(random.number(in: 0...sessions - 1))
      case 11: try followEvents(of: random.number(in: 0...sessions - 1))
      case 12: try readTree()
      default: try readPage(random.number(in: 0...sessions - 1))
      }
      usleep(UInt32(random.number(in: 1...40)) * 1_000)
    }
    return line.losses + line.refusals
  }

  /// Reads all sessions and the tree at the end.
  mutating func readAll() throws {
    for session in shared.paths.indices { try readPage(session) }
    try readTree()
  }

  private mutating func token() -> [(name: String, value: String)] {
    requests += 1
    return [(name: "Idempotency-Key", value: "\(name).\(requests)")]
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
      let revision = json["revision"]?.integer, let tree = json["treeRevision"]?.integer
    else { throw fail(ask, answer) }
    shared.add(
      TreeHistory.Session(options: options, revision: revision, treeRevision: tree),
      path: path
    )
  }

  private mutating func write(ofTree isOfTree: Bool) throws {
    let session = isOfTree ? nil : random.number(in: 0...shared.paths.count - 1)
    try write(in: session, writer.dataBatch())
  }

  private mutating func write(in session: Int?, _ operations: [ModelOperation]) throws {
    let target = session.map { shared.paths[$0] } ?? "/v1/trees/\(shared.tree)"
    let ask = Ask(.post, "\(target)/batch", ModelOperation.batch(operations), fields: token())
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
      return shared.end(number, .acknowledged(try list(json, ofTree: session == nil), at: time))
    }
    guard let code = json["code"]?.string.flatMap(ModelErrorCode.init),
      let operation = json["operation"]?.integer
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
  private mutating func read(_ target: String, expecting others: [Int] = []) throws -> RawJSON? {
    let ask = Ask(.get, target)
    guard let answer = try line.send(ask) else { return nil }
    if others.contains(answer.status) { return nil }
    guard answer.status == 200 else { throw fail(ask, answer) }
    return try answer.json()
  }

  private func record(_ content: TreeHistory.Content) {
    let (sent, answered) = (line.lastSent, SharedHistory.now)
    shared.add(TreeHistory.Read(sent: sent, answered: answered, content: content))
  }

  private mutating func readPage(_ session: Int) throws {
    let offset = random.oneIn(3) ? random.number(in: 0...12) : 0
    let limit = random.oneIn(3) ? random.number(in: 1...20) : 1_000
    let target = "\(shared.paths[session])/rows?offset=\(offset)&limit=\(limit)"
    guard let json = try read(target, expecting: [416]) else { return }
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
    guard let json = try read("/v1/trees/\(shared.tree)"),
      let revision = json["revision"]?.integer, let count = json["nodeCount"]?.integer
    else { return }
    record(.tree(revision: revision, nodeCount: count))
  }

  /// Follows an event stream for a while, or until the stream is lost.
  ///
  /// An event has no time at which it was requested.
  private mutating func followEvents(of session: Int) throws {
    guard let since = known[session] else { return try readPage(session) }
    let port = random.choice(ports)
    guard let connection = try? BlockingConnection(port: port, patienceSeconds: 1) else { return }
    var ask = Ask(.get, "\(shared.paths[session])/changes")
    ask.fields = [("Accept", "text/event-stream"), ("Last-Event-ID", "\(since)")]
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
    let target = "\(shared.paths[session])/changes?since=\(since)\(wait)"
    // The history is bounded, and is empty after the tree was loaded again.
    guard let json = try read(target, expecting: [410]) else {
      known[session] = nil
      return
    }
    let list = try ChangeList(json)
    known[session] = list.revision
    record(.changes(session: session, list))
  }
}

import HTTP
import TestSupport

/// A client on a bad line that keeps its rows from change lists, one of several on a shared tree.
struct MobileClient {
  /// A batch that was answered with success.
  struct Acknowledged: Sendable {
    /// The revision it gave the tree.
    var treeRevision: Int
    var body: [UInt8]
  }

  /// What became of a client.
  struct Report: Sendable {
    /// The session's path.
    var session = ""
    var replica = RowReplica()
    var acknowledged: [Acknowledged] = []
    /// Why it gave up; nil if it did not.
    var failure: String?
    var breaks = 0
    /// Answers that it got again because it had missed them.
    var replays = 0
    var refusals = 0
    /// Events and answers that told it of changes.
    var news = 0
  }

  let name: String
  let port: UInt16
  var random: SeededGenerator
  var line: BadLine
  var report = Report()
  private var requests = 0

  /// A client of a number; the number and the seed decide all that it does.
  init(number: Int, port: UInt16, seed: UInt64) {
    name = "c\(number)"
    self.port = port
    random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(number))
    line = BadLine(port: port, seed: random.next())
  }

  /// Makes a session with options and works for so many steps.
  mutating func run(options: String, steps: Int) -> Report {
    do {
      try open(options)
      for _ in 0..<steps {
        switch random.number(in: 0...8) {
        case 0...2: try follow()
        case 3: try patch()
        default: try write()
        }
      }
      try catchUp()
    } catch {
      report.failure = "\(name): \(error)"
    }
    report.breaks = line.breaks
    return report
  }

  /// Sends what must not be done twice.
  private mutating func sendOnce(_ ask: Ask) throws -> Answer {
    var ask = ask
    requests += 1
    ask.fields.append(("Idempotency-Key", "\(name).\(requests)"))
    let answer = try line.send(ask)
    if answer["Idempotency-Replayed"] == "true" { report.replays += 1 }
    return answer
  }

  private mutating func open(_ options: String) throws {
    let answer = try sendOnce(Ask(.post, "/v1/sessions", options))
    guard answer.status == 201, let path = answer["Location"] else {
      throw WireError("no session: \(answer.status) \(answer.text)")
    }
    report.session = path
    try readAgain()
  }

  private mutating func readAgain() throws {
    report.replica = try RowReplica.read(report.session) { try line.send($0) }
  }

  // MARK: Writing

  /// Sends a batch that brings one new node, so that it cannot be applied without being counted.
  private mutating func write() throws {
    let mark = "\(name).\(requests)"
    let insertion = #"{"op":"insert","key":"\#(mark)","object":{"n":\#(requests % 7)}\#(place())}"#
    var operations = (0..<random.number(in: 0...2)).map { _ in operation() }
    // Last, so that nothing after it takes it back.
    operations.append(insertion)
    let body = Array("{\"operations\":[\(operations.joined(separator: ","))]}".utf8)
    let target = "\(report.session)/batch?include=rows&limit=1000"
    let answer = try sendOnce(Ask(.post, target, body))
    guard answer.status == 200 else {
      // Others may have removed what it names, or moved it.
      guard [404, 409, 422].contains(answer.status) else { throw WireError(answer.text) }
      report.refusals += 1
      return
    }
    let list = try answer.json()
    guard let treeRevision = list["treeRevision"]?.integer else { throw WireError(answer.text) }
    report.acknowledged.append(Acknowledged(treeRevision: treeRevision, body: body))
    try learnOwn(list)
  }

  /// Changes an option, which changes rows of its own alone.
  private mutating func patch() throws {
    let options = [
      #"{"order":"breadthFirst"}"#, #"{"order":"depthFirst"}"#, #"{"filter":null}"#,
      #"{"viewSort":[{"by":"/n"}]}"#, #"{"viewSort":null}"#,
      #"{"filter":{"by":"/n","above":\#(random.number(in: 0...5))}}"#, #"{"expansion":2}"#,
      ##"{"filter":{"any":[{"by":"#key","contains":"1"},{"by":"/by","equals":"c0"}]}}"##,
      #"{"selection":"single"}"#, #"{"selection":"multiple","accordion":true}"#,
    ]
    let target = "\(report.session)?include=rows&limit=1000"
    let answer = try sendOnce(Ask(.patch, target, random.choice(options)))
    guard answer.status == 200 else { throw WireError(answer.text) }
    try learnOwn(try answer.json())
  }

  /// Learns from an answer, unless others came between: then it does not go on from what the
  /// client has.
  private mutating func learnOwn(_ list: RawJSON) throws {
    if list["previousRevision"]?.integer == report.replica.revision { try learn(list) }
  }

  private mutating func place() -> String {
    var place =
      random.oneIn(3)
      ? #","section":"\#(random.choice(["A", "B"]))""# : #","parent":"\#(someKey())""#
    if random.oneIn(3) { place += #","first":true"# }
    return place
  }

  private mutating func operation() -> String {
    let key = someKey()
    let choices = [
      #"{"op":"remove","key":"\#(key)"}"#,
      #"{"op":"move","key":"\#(key)"\#(place())}"#,
      #"{"op":"update","key":"\#(key)","object":{"n":\#(requests % 9)}}"#,
      #"{"op":"update","key":"\#(key)","merge":{"by":"\#(name)"}}"#,
      #"{"op":"toggle","key":"\#(key)"}"#,
      #"{"op":"select","key":"\#(key)"}"#,
      #"{"op":"reveal","key":"\#(key)","select":true}"#,
      #"{"op":"setChildren","key":"\#(key)","children":"loading"}"#,
      #"{"op":"setChildren","key":"\#(key)","children":[{"key":"\#(someKey())"}]}"#,
      #"{"op":"moveSection","section":"A","index":\#(random.number(in: 0...1))}"#,
      #"{"op":"\#(random.choice(["expandSection", "collapseSection"]))","section":"B"}"#,
      ##"{"op":"sort","by":[{"by":"#key","compare":"natural"}]}"##,
      #"{"op":"\#(random.choice(["expandAll", "collapseAll"]))"}"#,
      #"{"op":"expand","key":"\#(key)","levels":2}"#,
    ]
    return random.choice(choices)
  }

  /// A key of a row, mostly, which may be gone by now.
  private mutating func someKey() -> String {
    let bytes = random.element(of: report.replica.rows)?["key"] ?? Array("\"nobody\"".utf8)
    return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
  }

  // MARK: Following

  private mutating func follow() throws {
    switch random.number(in: 0...2) {
    case 0: try ask(waiting: 0)
    case 1: try ask(waiting: 1)
    default: try listen()
    }
  }

  /// Asks until nothing is new.
  private mutating func catchUp() throws {
    let known = report.replica.revision
    try ask(waiting: 0)
    if report.replica.revision != known { try catchUp() }
  }

  private mutating func ask(waiting seconds: Int) throws {
    let query = "since=\(report.replica.revision)&wait=\(seconds)&include=rows&limit=1000"
    let answer = try line.send(Ask(.get, "\(report.session)/changes?\(query)"))
    if answer.status == 410 { return try readAgain() }
    guard answer.status == 200 else { throw WireError(answer.text) }
    try learn(try answer.json())
  }

  /// Follows by a stream for a while, then leaves it where it is.
  private mutating func listen() throws {
    let stream = try EventStreamClient(
      port: port,
      report.session,
      query: "include=rows&limit=1000",
      lastID: report.replica.revision
    )
    for _ in 0..<random.number(in: 1...4) {
      for event in try stream.readEvents() {
        if event.type == "reset" { return try readAgain() }
        try learn(try event.json())
      }
    }
  }

  private mutating func learn(_ list: RawJSON) throws {
    if list["changes"]?.elements?.isEmpty == false { report.news += 1 }
    try report.replica.apply(list)
  }
}

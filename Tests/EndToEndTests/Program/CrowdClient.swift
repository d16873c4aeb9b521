import HTTP
import TestSupport

/// One client of a crowd: works in a folder of its own, so that it knows every answer beforehand.
struct CrowdClient {
  /// What became of a client.
  struct Report: Sendable {
    let session: String
    /// Why it gave up; nil if all answers were right.
    var failure: String?
    var answers = 0
    /// The nodes it left in the tree.
    var nodes = 0
    /// The revisions that its writes made.
    var revisions: [Int] = []
  }

  private let name: String
  private let port: UInt16
  private var random: SeededGenerator
  private var report: Report
  /// The numbers of its leaves, in their order.
  private var leaves: [Int] = []
  private var nextLeaf = 0

  /// A client of a number; the number and the seed decide all it does.
  init(number: Int, port: UInt16, session: String, seed: UInt64) {
    name = "c\(number)"
    self.port = port
    random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(number))
    report = Report(session: session)
  }

  /// Sends so many volleys of pipelined requests and judges every answer.
  mutating func run(rounds: Int) -> Report {
    do {
      var connection = try BlockingConnection(port: port)
      try volley([put("/nodes/\(name)", #"{"children":[]}"#)], connection)
      for _ in 0..<rounds {
        if random.oneIn(6) { connection = try BlockingConnection(port: port) }
        let steps = (0..<random.number(in: 2...6)).map { _ in step() }
        try volley(steps, connection)
      }
    } catch {
      report.failure = "\(name): \(error)"
    }
    report.nodes = leaves.count + 1
    return report
  }

  /// A request, and what is expected of its answer when it comes in its turn.
  private typealias Step = (ask: Ask, isRight: (Answer) throws -> Bool)

  /// Sends requests in one go or in pieces, then reads their answers in order.
  private mutating func volley(_ steps: [Step], _ connection: BlockingConnection) throws {
    let bytes = steps.flatMap { step -> [UInt8] in
      let isChunked = !step.ask.body.isEmpty && random.oneIn(3)
      return isChunked ? step.ask.bytes(chunkedBy: random.number(in: 1...9)) : step.ask.bytes
    }
    var rest = bytes[...]
    let isFragmented = random.oneIn(2)
    while !rest.isEmpty {
      let count = isFragmented ? random.number(in: 1...max(1, min(60, rest.count))) : rest.count
      try connection.send(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    for step in steps {
      let answer = try connection.receive(toHead: step.ask.method == .head)
      guard try step.isRight(answer) else {
        throw WireError("\(step.ask.method) \(step.ask.target): \(answer.status) \(answer.text)")
      }
      report.answers += 1
      if step.ask.method != .get, step.ask.method != .head, let json = try? answer.json(),
        let revision = json["revision"]?.integer, json["previousRevision"]?.integer != revision
      {
        report.revisions.append(revision)
      }
    }
  }

  /// Something to ask, in the state that all requests before it will have made.
  private mutating func step() -> Step {
    switch random.number(in: 0...7) {
    case 0...2: return insert()
    case 3: return leaves.isEmpty ? insert() : remove()
    case 4:
      let absent = Ask(.get, report.session + "/nodes/\(name).gone")
      return (absent, { $0.status == 404 })
    case 5:
      let ask = Ask(.head, report.session + "/nodes/\(name)")
      return (ask, { $0.status == 200 && $0.body.isEmpty })
    case 6: return (Ask(.post, report.session + "/batch", "{"), { $0.status == 400 })
    default: return readChildren()
    }
  }

  private mutating func insert() -> Step {
    let place = random.number(in: 0...leaves.count)
    leaves.insert(nextLeaf, at: place)
    nextLeaf += 1
    return put(
      "/nodes/\(name).\(leaves[place])",
      #"{"parent":"\#(name)","index":\#(place)}"#
    )
  }

  private func put(_ path: String, _ body: String) -> Step {
    (Ask(.put, report.session + path, body), { $0.status == 201 })
  }

  private mutating func remove() -> Step {
    let leaf = leaves.remove(at: random.number(in: 0...leaves.count - 1))
    return (Ask(.delete, report.session + "/nodes/\(name).\(leaf)"), { $0.status == 200 })
  }

  private func readChildren() -> Step {
    let expected = leaves.map { "\(name).\($0)" }
    let ask = Ask(.get, report.session + "/nodes/\(name)/children?limit=1000&fields=key")
    return (
      ask,
      { answer in
        let nodes = try answer.json()["nodes"]?.elements
        return nodes?.compactMap { $0["key"]?.string } == expected
      }
    )
  }
}

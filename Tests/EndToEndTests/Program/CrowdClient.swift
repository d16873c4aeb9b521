import HTTP
import TestSupport

/// A client of a crowd. It works in its own folder of the tree, so that it can predict every
/// answer.
struct CrowdClient {
  /// The outcome of a client's work.
  struct Report: Sendable {
    let session: String
    /// The error that ended the work; nil if all answers were right.
    var failure: String?
    var answers = 0
    /// The number of nodes that the client left in the tree.
    var nodes = 0
    /// The revisions of its writes.
    var revisions: [Int] = []
  }

  private let name: String
  private let port: UInt16
  private var random: SeededGenerator
  private var report: Report
  /// The numbers of its leaves, in order.
  private var leaves: [Int] = []
  private var nextLeaf = 0

  /// Creates a client. Its number and the seed determine all requests.
  init(number: Int, port: UInt16, session: String, seed: UInt64) {
    name = "c\(number)"
    self.port = port
    random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(number))
    report = Report(session: session)
  }

  /// Sends `rounds` groups of pipelined requests, and checks every answer.
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

  /// A request, and the check of its answer.
  private typealias Step = (ask: Ask, isRight: (Answer) throws -> Bool)

  /// Sends requests as a whole or in pieces, then reads their answers in order.
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

  /// Returns a random request that fits the state after all requests before it.
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

import Glibc
import HTTP
import TestSupport
import Testing

/// Everything at once on a few trees that come and go.
struct UproarTests {
  /// Trees and sessions end while others write to them, follow them and read them: every request
  /// has an answer, none of them is the service's fault, and nothing stays behind.
  @Test func `trees and sessions come and go under their users`() throws {
    let seed = Seed.fromEnvironment()
    let program = try Program(["--port", "0", "--loops", "3"])
    let port = try program.waitForPort()
    let steps = Seed.operations(default: 120)
    let outcomes = workAtOnce(8) { number in
      var rioter = Rioter(number: number, port: port, seed: seed)
      return Result { try rioter.run(steps: steps) }
    }
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0, "SEED=\(seed)")
    // Much of what they ask for must be there to be had.
    let successes = try outcomes.reduce(0) { try $0 + $1.get() }
    #expect(successes > outcomes.count * steps / 5, "SEED=\(seed)")
  }
}

/// A client that sends random requests of all kinds.
private struct Rioter {
  static let trees = ["t0", "t1", "t2"]

  private let access: SocketAccess
  private let port: UInt16
  private var random: SeededGenerator
  /// Paths of sessions, of which some have ended.
  private var sessions: [String] = []
  private var streams: [EventStreamClient] = []

  init(number: Int, port: UInt16, seed: UInt64) {
    self.port = port
    access = SocketAccess(port: port)
    random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(number))
  }

  /// Sends so many requests, and gives how many of them succeeded.
  mutating func run(steps: Int) throws -> Int {
    var successes = 0
    for _ in 0..<steps {
      var ask = request()
      // A worker decodes a body that is this long.
      if !ask.body.isEmpty, random.oneIn(2) { ask.body += repeatElement(0x20, count: 65_537) }
      let answer = try access.send(ask)
      guard answer.status < 500 || answer.status == 503 else {
        throw WireError("\(ask.method.rawValue) \(ask.target): \(answer.status) \(answer.text)")
      }
      if ask.target == "/v1/sessions", let place = answer["Location"] { sessions.append(place) }
      if answer.status < 300 { successes += 1 }
      if random.oneIn(10) { try follow() }
    }
    return successes
  }

  /// Follows a session, if it is still there, or stops to follow.
  private mutating func follow() throws {
    if streams.count > 3 { streams.removeFirst() }
    guard let session = random.element(of: sessions) else { return }
    guard try access.send(Ask(.get, session)).status == 200 else { return }
    if let stream = try? EventStreamClient(port: port, session, query: "include=rows") {
      streams.append(stream)
    }
  }

  private mutating func request() -> Ask {
    let tree = "/v1/trees/\(random.choice(Self.trees))"
    let session = random.element(of: sessions.suffix(6)) ?? "/v1/sessions/s_none"
    switch random.number(in: 0...15) {
    case 0: return Ask(.post, "/v1/trees", #"{"tree":"\#(tree.suffix(2))","nodes":[{"key":"a"}]}"#)
    case 1 where random.oneIn(4): return Ask(.delete, tree)
    case 2 where random.oneIn(2): return Ask(.delete, session)
    case 0...3: return Ask(.post, "/v1/sessions", newSession(tree))
    case 4: return Ask(.get, "\(session)/rows?limit=20")
    case 5: return Ask(.get, "\(session)/changes?since=\(random.number(in: 0...5))")
    case 6: return Ask(.get, "\(tree)/export")
    case 7: return Ask(.post, "\(tree)/import", lines(), fields: Self.linesType)
    case 8: return Ask(.patch, session, options())
    case 9: return Ask(.get, "\(session)/search?q=1")
    case 10: return Ask(.get, "\(session)/state")
    case 11:
      return Ask(.put, "\(session)/forest", #"[{"key":"a","children":[{"key":"\#(key())"}]}]"#)
    case 12: return Ask(.post, "\(tree)/batch", batch(ofData: true))
    default: return Ask(.post, "\(session)/batch?include=rows", batch(ofData: false))
    }
  }

  private static let linesType = [(name: "Content-Type", value: "application/x-ndjson")]

  private mutating func key() -> String { "\(random.number(in: 0...30))" }

  private mutating func newSession(_ tree: String) -> String {
    let option = random.choice([
      #""order":"breadthFirst""#, ##""filter":{"by":"#key","contains":"1"}"##, #""expansion":1"#,
      #""selection":"single""#, #""accordion":true"#,
    ])
    return #"{"tree":"\#(tree.suffix(2))",\#(option)}"#
  }

  private mutating func options() -> String {
    random.choice([
      #"{"order":"breadthFirst"}"#, #"{"order":"depthFirst","filter":null}"#,
      ##"{"filter":{"by":"#key","contains":"2"}}"##, #"{"expansion":"none"}"#,
      #"{"expansion":"all","nestedExpansion":"forget"}"#,
    ])
  }

  private mutating func lines() -> String {
    (0..<random.number(in: 1...5))
      .map { _ in #"{"key":"\#(key())","parent":"\#(random.oneIn(2) ? "a" : key())"}"# }
      .joined(separator: "\n")
  }

  private mutating func batch(ofData isData: Bool) -> String {
    let operations = (0..<random.number(in: 1...4)).map { _ in operation(ofData: isData) }
    return "{\"operations\":[\(operations.joined(separator: ","))]}"
  }

  private mutating func operation(ofData isData: Bool) -> String {
    let data = [
      #"{"op":"insert","key":"\#(key())","parent":"a"}"#, #"{"op":"insert","key":"\#(key())"}"#,
      #"{"op":"remove","key":"\#(key())"}"#,
      #"{"op":"move","key":"\#(key())","parent":"\#(key())"}"#,
      #"{"op":"move","key":"\#(key())","first":true}"#,
      #"{"op":"setChildren","key":"\#(key())","children":[{"key":"\#(key())"}]}"#,
      #"{"op":"setChildren","key":"\#(key())","children":"unloaded","childCount":3}"#,
      #"{"op":"update","key":"\#(key())","object":{"n":\#(key())}}"#,
      #"{"op":"insertSection","section":"\#(key())","index":0}"#,
      #"{"op":"removeSection","section":"\#(key())"}"#,
      ##"{"op":"sort","by":[{"by":"#key","compare":"natural"}]}"##,
    ]
    let view = [
      #"{"op":"toggle","key":"\#(key())"}"#, #"{"op":"reveal","key":"\#(key())"}"#,
      #"{"op":"select","subtree":"a"}"#, #"{"op":"clearSelection"}"#, #"{"op":"collapseAll"}"#,
      #"{"op":"expand","key":"a","levels":"all"}"#, #"{"op":"expandAll"}"#,
    ]
    return random.choice(isData || random.oneIn(2) ? data : view)
  }
}

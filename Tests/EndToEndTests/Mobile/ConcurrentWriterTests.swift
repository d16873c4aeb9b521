import Glibc
import HTTP
import TestSupport
import Testing

/// Writers at once, on one tree.
struct ConcurrentWriterTests {
  private static let writers = 8

  /// What concurrent writers leave is what some serial order of their batches leaves: that of the
  /// revisions.
  @Test func `concurrent writers leave what their batches leave one after the other`() throws {
    let seed = Seed.fromEnvironment()
    let program = try Program(["--port", "0", "--loops", "3"])
    let port = try program.waitForPort()
    let access = SocketAccess(port: port)
    let tree = #"{"tree":"shared","sections":["A","B"],"sort":[{"by":"/n"}]}"#
    #expect(try access.send(Ask(.post, "/v1/trees", tree)).status == 201)
    let batches = Seed.operations(default: 40)
    let outcomes = workAtOnce(Self.writers) { number in
      var writer = Writer(number: number, port: port, seed: seed)
      return Result { try writer.run(batches: batches) }
    }
    let acknowledged = try outcomes.flatMap { try $0.get() }
    // Some are refused, since others took away what they name.
    #expect(acknowledged.count > Self.writers * batches / 4, "SEED=\(seed)")
    try SerialReplay.expectSame(acknowledged, as: "shared", like: tree, access, "SEED=\(seed)")
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
  }
}

/// One of several that write to one tree, through a session or to the tree itself.
private struct Writer {
  private let number: Int
  private let port: UInt16
  private var random: SeededGenerator
  private var made = 0
  /// The keys of the nodes it has made, of which some are gone by now.
  private var own: [String] = []

  init(number: Int, port: UInt16, seed: UInt64) {
    self.number = number
    self.port = port
    random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(number))
  }

  /// Sends so many batches and gives those that were applied.
  mutating func run(batches: Int) throws -> [MobileClient.Acknowledged] {
    let access = SocketAccess(port: port)
    let session = try RemoteSession(access, #"{"tree":"shared"}"#)
    let target = number.isMultiple(of: 2) ? session.path : "/v1/trees/shared"
    var acknowledged: [MobileClient.Acknowledged] = []
    for _ in 0..<batches {
      let body = batch()
      let answer = try access.send(Ask(.post, "\(target)/batch", body))
      guard answer.status == 200 else {
        guard [404, 409, 422].contains(answer.status) else { throw WireError(answer.text) }
        continue
      }
      let json = try answer.json()
      guard let revision = (json["treeRevision"] ?? json["revision"])?.integer else {
        throw WireError(answer.text)
      }
      own.append("\(number).\(made)")
      acknowledged.append(MobileClient.Acknowledged(treeRevision: revision, body: body))
    }
    return acknowledged
  }

  /// Operations of which one is sure to change the tree.
  private mutating func batch() -> [UInt8] {
    var operations = (0..<random.number(in: 0...3)).map { _ in operation() }
    // Last, so that nothing after it takes it back.
    operations.append(insertion())
    return Array("{\"operations\":[\(operations.joined(separator: ","))]}".utf8)
  }

  private mutating func insertion() -> String {
    made += 1
    let below = random.oneIn(3) ? #""section":"\#(section())""# : #""parent":"\#(someKey())""#
    let place = made == 1 ? #""section":"A""# : below
    let object = #"{"n":\#(random.number(in: 0...9))}"#
    return #"{"op":"insert","key":"\#(number).\#(made)","object":\#(object),\#(place)}"#
  }

  private mutating func operation() -> String {
    let key = someKey()
    switch random.number(in: 0...7) {
    case 0 where random.oneIn(2): return #"{"op":"remove","key":"\#(key)"}"#
    case 1: return #"{"op":"move","key":"\#(key)","section":"\#(section())"}"#
    case 2: return #"{"op":"move","key":"\#(key)","parent":"\#(someKey())","first":true}"#
    case 3...4:
      return #"{"op":"update","key":"\#(key)","object":{"n":\#(random.number(in: 0...9))}}"#
    case 5: return #"{"op":"moveSection","section":"A","index":\#(random.number(in: 0...1))}"#
    case 6: return ##"{"op":"sort","by":[{"by":"#key","compare":"natural"}]}"##
    default: return #"{"op":"setChildren","key":"\#(key)","children":[{"key":"\#(someKey())"}]}"#
    }
  }

  private mutating func section() -> String { random.oneIn(2) ? "A" : "B" }

  /// A key of its own, mostly, or one that another has made by now or will.
  private mutating func someKey() -> String {
    if let key = random.element(of: own.suffix(6)), !random.oneIn(4) { return key }
    return "\(random.number(in: 0...7)).\(random.number(in: 1...made + 1))"
  }
}

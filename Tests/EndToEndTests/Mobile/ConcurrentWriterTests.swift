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
      Result {
        let random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(number))
        var writer = try Writer(number: number, tree: "shared", SocketAccess(port: port), random)
        return try writer.run(batches: batches)
      }
    }
    let acknowledged = try outcomes.flatMap { try $0.get() }
    // Some are refused, since others took away what they name.
    #expect(acknowledged.count > Self.writers * batches / 4, "SEED=\(seed)")
    try SerialReplay.expectSame(acknowledged, as: "shared", like: tree, access, "SEED=\(seed)")
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
  }
}

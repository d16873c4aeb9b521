import Testing

import enum TestSupport.Seed
import struct TestSupport.SeededGenerator
@testable import TreeClient

/// Writers at once, on one tree.
@Suite(.timeLimit(.minutes(30)))
struct ConcurrentWriterTests {
  private static let writers = 8

  /// Writes are linearizable: the order of the revisions is the serial order.
  @Test func `batches of concurrent writers have the effect of some serial order`() async throws {
    let seed = Seed.fromEnvironment()
    print("SEED=\(seed)")
    let program = try await AwaitedProgram.start(["--loops", "3"])
    let client = try TreeClient.atPort(program.port)
    let sort = [TreeSortDescriptor(by: "/n")]
    _ = try await client.createTree(NewTree("shared", sort: sort, sections: ["A", "B"]))
    let batches = Seed.operations(default: 40)
    let acknowledged = try await withThrowingTaskGroup { group in
      for number in 0..<Self.writers {
        group.addTask {
          // Each has connections of its own.
          let client = try TreeClient.atPort(program.port)
          let random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(number))
          return try await Self.write(
            batches,
            number,
            client,
            RandomBatches(number: number, random)
          )
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    // Some are refused, since others took away what they name.
    #expect(acknowledged.count > Self.writers * batches / 4, "SEED=\(seed)")
    let tree = #"{"tree":"shared","sections":["A","B"],"sort":[{"by":"/n"}]}"#
    let difference = try await onThread {
      let access = SocketAccess(port: program.port)
      return try SerialReplay.difference(acknowledged, as: "shared", like: tree, access)
    }
    #expect(difference == nil, "SEED=\(seed)")
    #expect(try await program.stop() == 0)
  }

  /// Sends so many batches, through a session or to the tree itself, and returns those that were
  /// applied.
  private static func write(
    _ count: Int,
    _ number: Int,
    _ client: TreeClient,
    _ random: RandomBatches
  ) async throws -> [MobileClient.Acknowledged] {
    let session = try await client.createSession(NewSession(tree: "shared"))
    var batches = random
    var acknowledged: [MobileClient.Acknowledged] = []
    for _ in 0..<count {
      let operations = batches.next()
      do {
        let revision =
          try await number.isMultiple(of: 2)
          ? session.batch(operations).treeRevision
          : client.applyTreeBatch("shared", operations).revision
        batches.recordApplied()
        acknowledged.append(try MobileClient.Acknowledged(operations, at: revision))
      } catch let problem as TreeProblem {
        try MobileClient.expectRefusal(problem)
      }
    }
    return acknowledged
  }
}

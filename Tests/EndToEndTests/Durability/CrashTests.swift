import Foundation
import Glibc
import HTTP
import TestSupport
import Testing

/// Kills the program at random moments: no acknowledged change is lost.
struct CrashTests {
  private static let kills = 32
  /// Settings that write snapshots often and unload idle trees soon.
  private static let settings = [
    "--snapshot-entries", "7", "--idle-tree-seconds", "1", "--loops", "2",
  ]

  /// Runs with one seed, or as many as `ITERATIONS`, each from an empty folder.
  @Test func `acknowledged batches survive kills, and pending ones are applied wholly or not`()
    throws
  {
    for seed in Seed.seeds(count: 1) { try run(seed, kills: Self.kills) }
  }

  /// Kills less often, as each start waits for the lease of the process before. At last it kills
  /// the database server, too.
  @Test(.enabled(if: PostgreSQLServer.programs != nil))
  func `acknowledged batches survive kills with a database server`() throws {
    let server = try PostgreSQLServer()
    let uri = server.uri(of: try server.makeDatabase())
    for seed in Seed.seeds(count: 1) {
      try run(seed, kills: 6, ["--storage", uri]) {
        try server.kill()
        try server.start()
        sleep(1)
      }
    }
  }

  private func run(
    _ seed: UInt64,
    kills: Int,
    _ storage: [String] = [],
    end: () throws -> Void = {}
  ) throws {
    let program = try MortalProgram(Self.settings + storage)
    let line = MortalLine(program, name: "first")
    let tree = #"{"tree":"written","sections":["A","B"],"sort":[{"by":"/n"}]}"#
    #expect(try line.send(Ask(.post, "/v1/trees", tree)).status == 201)
    let clients = Self.clients(of: program, seed)
    defer { program.declareOver() }
    var random = SeededGenerator(seed: seed)
    // Some acknowledgement must be missed, which takes more kills on a slow machine.
    for count in 0..<10 * kills where count < kills || !program.hasReplays {
      // Else it may be killed while it starts.
      if random.oneIn(2) { _ = try line.send(Ask(.get, "/v1/trees/written")) }
      usleep(UInt32(random.number(in: 1...20)) * UInt32(random.number(in: 1_000...30_000)))
      if random.oneIn(8) { try program.stop() } else { try program.kill() }
    }
    try end()
    try waitForBatch(line)
    program.declareOver()
    let reports = clients.map { client in Result { try client.result() } }
    for case .failure(let error) in reports { Issue.record("SEED=\(seed): \(error)") }
    let done = reports.compactMap { try? $0.get() }
    #expect(done.contains { $0.losses > 0 } && done.contains { $0.replays > 0 }, "SEED=\(seed)")
    let batches = done.flatMap(\.acknowledged)
    #expect(!batches.isEmpty)
    try SerialReplay.expectSame(batches, as: "written", like: tree, line, "SEED=\(seed)")
    try program.stop()
    let description = try line.send(Ask(.get, "/v1/trees/written")).json()
    let revision = try #require(description["revision"]?.integer)
    #expect(revision < 1_000_000, "a crash was mistaken for a restored backup")
  }

  /// Waits until a batch was applied to the tree with several writers, which a slow machine may not
  /// manage between two kills. Its writer will have the answer.
  private func waitForBatch(_ line: MortalLine) throws {
    for _ in 0..<6_000 {
      let revision = try line.send(Ask(.get, "/v1/trees/written")).json()["revision"]?.integer
      if revision != 0 { return }
      usleep(10_000)
    }
  }

  /// Starts clients with all kinds of work.
  private static func clients(
    of program: MortalProgram,
    _ seed: UInt64
  ) -> [BackgroundWork<MortalWork.Report>] {
    let works: [(String, @Sendable (inout MortalWork) throws -> MortalWork.Report)] = [
      ("private", { try $0.leadPrivateTrees() }), ("private2", { try $0.leadPrivateTrees() }),
      ("shared", { try $0.leadSharedTree() }), ("import", { try $0.importNodes() }),
      ("writer", { try $0.write(to: "written", number: 0) }),
      ("writer2", { try $0.write(to: "written", number: 1) }),
      ("keyless", { try $0.writeWithoutKeys() }),
    ]
    return works.map { name, run in
      BackgroundWork {
        var work = MortalWork(name, program, seed: seed)
        return try run(&work)
      }
    }
  }
}

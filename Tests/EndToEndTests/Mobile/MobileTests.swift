import Glibc
import HTTP
import TestSupport
import Testing

/// Clients whose connections break at any moment, on one tree.
struct MobileTests {
  private static let tree = #"{"tree":"shared","sections":["A","B"]}"#
  private static let options = [
    #"{"tree":"shared","expansion":"all"}"#, #"{"tree":"shared","expansion":"none"}"#,
    #"{"tree":"shared","expansion":1,"nestedExpansion":"forget"}"#,
    #"{"tree":"shared","accordion":true}"#,
    #"{"tree":"shared","filter":{"by":"/n","above":3}}"#,
    #"{"tree":"shared","order":"breadthFirst"}"#,
    #"{"tree":"shared","viewSort":[{"by":"/n","direction":"descending"}]}"#,
  ]

  /// Settings under which clients meet what is rare otherwise: being told to read again, since
  /// little of the past is kept; being behind, since few events wait; being answered by others than
  /// the loop.
  private static let settings = [
    ["--heartbeat-seconds", "1", "--max-history-commits", "5"],
    ["--heartbeat-seconds", "1", "--heavy-body-bytes", "0", "--workers", "3"],
    ["--heartbeat-seconds", "1", "--max-queued-events", "1"],
  ]

  /// Nothing is applied twice, nothing is lost, and whoever follows ends with the rows there are.
  @Test func `clients on bad lines write once and end equal to the server`() throws {
    for seed in Seed.seeds(count: 3) {
      let settings = Self.settings[Int(seed % UInt64(Self.settings.count))]
      let program = try Program(["--port", "0", "--loops", "2"] + settings)
      let port = try program.waitForPort()
      let access = SocketAccess(port: port)
      #expect(try access.send(Ask(.post, "/v1/trees", Self.tree)).status == 201)
      let steps = Seed.operations(default: 25)
      let reports = workAtOnce(Self.options.count) { number in
        var client = MobileClient(number: number, port: port, seed: seed)
        return client.run(options: Self.options[number], steps: steps)
      }
      let failures = reports.compactMap(\.failure)
      #expect(failures.isEmpty, "SEED=\(seed)")
      guard failures.isEmpty else {
        program.send(SIGTERM)
        _ = try program.waitForEnd()
        continue
      }
      for report in reports {
        try expectCurrent(report, access, "SEED=\(seed)")
      }
      let batches = reports.flatMap(\.acknowledged)
      try SerialReplay.expectSame(batches, as: "shared", like: Self.tree, access, "SEED=\(seed)")
      // It must have come upon what it is about.
      let (breaks, replays) = reports.reduce((0, 0)) { ($0.0 + $1.breaks, $0.1 + $1.replays) }
      #expect(breaks > steps && replays > 0 && reports.allSatisfy { $0.news > 0 })
      program.send(SIGTERM)
      #expect(try program.waitForEnd().status == 0)
    }
  }

  /// What a client has, with what it is told since then, is what a new reader gets.
  private func expectCurrent(
    _ report: MobileClient.Report,
    _ access: any Access,
    _ label: String
  ) throws {
    var replica = report.replica
    let query = "since=\(replica.revision)&include=rows&limit=1000"
    let answer = try access.send(Ask(.get, "\(report.session)/changes?\(query)"))
    // What was done last may be forgotten, where little is kept.
    guard answer.status != 410 else { return }
    try #require(answer.status == 200, "\(label): \(answer.text)")
    try replica.apply(try answer.json())
    let truth = try RowReplica.read(report.session) { try access.send($0) }
    let difference = replica.difference(from: truth)
    #expect(difference == nil, "\(label), \(report.session)")
  }
}

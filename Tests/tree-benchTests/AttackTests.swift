import Testing

@testable import tree_bench

@Suite(.serialized)
struct AttackTests {
  @Test(arguments: Attack.all.map(\.name))
  func `a server survives a small attack, and its normal users get right answers`(
    name: String
  ) throws {
    let attack = try #require(Attack.all.first { $0.name == name })
    let report = attack.make(on: ServiceTarget(), size: attack.smallSize)
    #expect(report.faults.isEmpty, "\(report.lines.joined(separator: "\n"))")
    #expect(report.ending == .exit(status: 0))
    #expect(report.checksum != 0)
    #expect(report.peakBytes > 0)
    let labels = report.records.map(\.label)
    // A short attack may be over before the first large body is answered.
    for label in ["page of 100 rows", "small write", "healthz"] {
      #expect(labels.contains(label))
    }
  }

  @Test func `the command line picks attacks, a server and its settings`() throws {
    let arguments = [
      "attack", "globs", "rollback", "--size", "50", "--server", "/bin/tree-server",
      "--memory-limit", "1073741824", "--", "--storage", "memory",
    ]
    let choice = try #require(TreeBench.Choice(arguments))
    #expect(Set(choice.attacks.map(\.name)) == ["globs", "rollback"])
    #expect(choice.benchmarks.isEmpty)
    #expect(choice.size == 50)
    #expect(choice.target.path == "/bin/tree-server")
    #expect(choice.target.memoryLimit == 1 << 30)
    #expect(choice.target.settings == ["--storage", "memory"])
    #expect(TreeBench.Choice(["attack"])?.attacks.count == Attack.all.count)
    #expect(TreeBench.Choice(["attack", "--server", "http://127.0.0.1:80"])?.target.port == 80)
  }

  @Test(arguments: [
    ["attack", "glob"], ["attack", "load"], ["attack", "--server"],
    ["attack", "--memory-limit", "1"],
    ["attack", "--server", "http://example.org:80"], ["globs"],
  ])
  func `a command line that means nothing is refused`(arguments: [String]) {
    #expect(TreeBench.Choice(arguments) == nil)
  }

  @Test func `a longer wait counts for each request that was due meanwhile`() {
    let log = LatencyLog("page")
    let answer = HTTPClient.Answer(status: 200, body: [], length: 0)
    for _ in 0..<8 { log.add(answer, after: .milliseconds(1), interval: .milliseconds(4)) }
    log.add(answer, after: .milliseconds(12), interval: .milliseconds(4))
    let record = log.take()
    #expect(record.times.count == 11)
    #expect(record.percentile(0.5) == .milliseconds(1))
    #expect(record.percentile(1) == .milliseconds(12))
    #expect(record.statuses == [200: 9])
    #expect(record.statusText == "200 × 9")
    log.add(HTTPClient.Answer(status: 500, body: [], length: 0), after: .zero)
    log.add(nil, after: .zero)
    #expect(log.take().faults.count == 1)
    #expect(!log.isUsed)
  }

  @Test func `a report tells how often a loop was busy for too long`() {
    var report = AttackReport(name: "globs", size: 1)
    report.read(
      """
      # TYPE tree_server_loop_busy_seconds histogram
      tree_server_loop_busy_seconds_bucket{le="0.001"} 90
      tree_server_loop_busy_seconds_bucket{le="0.002"} 97
      tree_server_loop_busy_seconds_bucket{le="0.005"} 99
      tree_server_loop_busy_seconds_bucket{le="+Inf"} 100
      tree_server_loop_busy_seconds_count 100
      """
    )
    let line = report.lines.first { $0.contains("loop busy") }
    #expect(line?.contains("3 times of 100, longest above 0.005 s") == true)
  }
}

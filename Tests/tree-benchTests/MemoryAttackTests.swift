import Foundation
import Testing

@testable import tree_bench

/// Attacks that ended the process in a cgroup of 1 GiB, made smaller for small cgroups.
///
/// At full size a debug build would take minutes. The environment variable `TREE_SERVER` may name
/// another program.
@Suite(
  .serialized,
  .enabled(
    if: MemoryGroup(bytes: 64 << 20, name: "tree-bench.probe") != nil,
    "No cgroup that limits memory can be made here."
  )
)
struct MemoryAttackTests {
  @Test(arguments: [
    ("view-memory", 10_000, 64), ("rollback", 40_000, 64), ("ancestors", 10_000, 100),
    ("unread-pages", 40, 100),
  ])
  func `a server in a small cgroup survives what takes memory`(
    name: String,
    size: Int,
    mebibytes: Int
  ) throws {
    let attack = try #require(Attack.all.first { $0.name == name })
    let program = ProcessInfo.processInfo.environment["TREE_SERVER"]
    let target = ServiceTarget(program: program, memoryLimit: mebibytes << 20)
    let report = attack.make(on: target, size: size)
    let text = report.lines.joined(separator: "\n")
    // A sort may be under way for longer than the end waits: the exit status is 1 then.
    guard case .exit = report.ending else {
      Issue.record("\(report.ending?.text ?? "it runs"): \(text)")
      return
    }
    #expect(report.checksum != 0, "\(text)")
  }
}

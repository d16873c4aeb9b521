import TestSupport
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// Snapshots of a tree that lost changes and was read again.
struct LostSnapshotTests {
  @Test func `a failed snapshot is uncounted once`() throws {
    var limits = SessionLimits()
    limits.snapshotEntries = 1
    limits.maxExportsPerTree = 1
    let bench = try ArchiveBench(limits: limits)
    let session = try StoreUnderTest(#"{"tree":"t"}"#, in: bench.store)
    bench.finishCommits()
    for key in ["b", "c"] {
      try session.apply(#"{"op":"insert","key":"\#(key)"}"#)
      bench.commits.work()
      // A snapshot has begun, and its first part waits to be written.
      bench.works.work()
      bench.storage.fail(.failed("for a moment"))
      try session.apply(#"{"op":"insert","key":"\#(key)2"}"#)
      bench.finishCommits()
      bench.recover()
    }
    #expect(try session.keys() == ["a", "b", "c"])
    let export = try bench.store.export(bench.tree)
    let second = refusal { () throws(ServiceError) in _ = try bench.store.export(bench.tree) }
    #expect(second?.code == .overloaded)
    withExtendedLifetime(export) {}
  }
}

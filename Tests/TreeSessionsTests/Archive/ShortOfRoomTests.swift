import Glibc
import TestSupport
import Testing
import TreeDomain
import TreeSessions
import TreeStorage

/// If little space is left, clients can only remove things.
struct ShortOfRoomTests {
  private static let insert = #"{"op":"insert","key":"b"}"#

  /// Makes a store that knows that it is short of space.
  private static func makeShort() throws -> (ArchiveBench, StoreUnderTest) {
    let bench = try ArchiveBench()
    let session = try StoreUnderTest(#"{"tree":"t"}"#, in: bench.store)
    bench.storage.beShortOfRoom(true)
    // A commit checks the space a tenth of a second after the last check.
    usleep(110_000)
    try session.apply(insert)
    bench.finishCommits()
    return (bench, session)
  }

  private func expectFull(_ work: () throws -> Void) {
    #expect { try work() } throws: { ($0 as? ServiceError)?.code == .storageFull }
  }

  @Test func `additions are refused, and removals are accepted`() throws {
    let (bench, session) = try Self.makeShort()
    let shown = try bench.store.picture(of: session.id)
    for operations in [
      #"{"op":"insert","key":"c"}"#, #"{"op":"remove","key":"b"},\#(Self.insert)"#,
      #"{"op":"update","key":"a","object":1}"#, #"{"op":"collapseAll"}"#,
    ] {
      expectFull { try session.apply(operations) }
      bench.finishCommits()
    }
    expectFull { _ = try StoreUnderTest("{}", in: bench.store) }
    expectFull { try bench.store.make("u") }
    #expect(bench.store.readiness == .unready(.storageFull))
    #expect(try bench.store.picture(of: session.id) == shown)
    try session.apply(#"{"op":"remove","key":"b"}"#)
    bench.finishCommits()
    #expect(try session.keys() == ["a"])
    #expect(try bench.store.deleteSession(session.id, nil).durability.loss == nil)
    #expect(try bench.store.deleteTree(bench.tree, nil).durability.loss == nil)
    bench.finishCommits()
    #expect(bench.storage.sharedTrees().isEmpty)
  }

  /// Removed nodes stay in storage until the next snapshot, which would not be due for long.
  @Test func `a snapshot is written early if it frees space`() throws {
    let bench = try ArchiveBench()
    let session = try StoreUnderTest(#"{"tree":"t"}"#, in: bench.store)
    let object = #""\#(String(repeating: "x", count: 500_000))""#
    for key in 0..<8 { try session.apply(#"{"op":"insert","key":"\#(key)","object":\#(object)}"#) }
    try session.apply(#"{"op":"remove","key":"0"}"#)
    bench.finishCommits()
    #expect(bench.storage.snapshot(of: TreeNumber(1)) == nil, "there is room")
    bench.storage.beShortOfRoom(true)
    usleep(110_000)
    try session.apply(#"{"op":"remove","key":"1"}"#)
    bench.finishCommits()
    try session.apply(#"{"op":"remove","key":"2"}"#)
    bench.finishCommits()
    #expect(bench.storage.snapshot(of: TreeNumber(1)) == nil, "most of it is still there")
    for key in 3..<7 { try session.apply(#"{"op":"remove","key":"\#(key)"}"#) }
    bench.finishCommits()
    let snapshot = try #require(bench.storage.snapshot(of: TreeNumber(1)))
    let parts = try (0..<snapshot.parts).map { try bench.storage.part($0, of: snapshot).count }
    #expect(500_000..<1_000_000 ~= parts.reduce(0, +))
    let entry = snapshot.entry
    let rest = bench.storage.entries(of: TreeNumber(1), after: entry, bytes: .max)
    #expect(rest.reduce(0) { $0 + $1.body.count } < 10_000)
    #expect(try session.keys() == ["a", "7"])
  }

  @Test func `changes are accepted again after space was freed`() throws {
    let (bench, session) = try Self.makeShort()
    expectFull { try session.apply(#"{"op":"insert","key":"c"}"#) }
    bench.storage.beShortOfRoom(false)
    // A second later, the next refusal starts a check.
    bench.clock.now += 1
    expectFull { try session.apply(#"{"op":"insert","key":"c"}"#) }
    bench.finishCommits()
    #expect(bench.store.readiness == .ready)
    try session.apply(#"{"op":"insert","key":"c"}"#)
    bench.finishCommits()
    #expect(try session.keys() == ["a", "b", "c"])
  }
}

import Testing
import TreeDomain
import TreeEngine
import TreeSessions

/// Moves of more rows than are listed one by one.
struct LongMoveTests {
  private func session() throws -> StoreUnderTest {
    var limits = SessionLimits()
    limits.maxChanges = 3
    limits.history.listedRows = 3
    let children = (0..<5).map { #"{"key":"c\#($0)"}"# }.joined(separator: ",")
    let nodes = #"{"key":"a"},{"key":"p","children":[\#(children)]},{"key":"z"}"#
    return try StoreUnderTest(#"{"nodes":[\#(nodes)]}"#, limits: limits)
  }

  private func changes(of session: StoreUnderTest, since: UInt64) throws -> [Change] {
    let query = ChangesQuery(since: Revision(since))
    return try session.store.changes(of: session.id, query).changes
  }

  @Test func `a single long move is told as a move, at once and later`() throws {
    let session = try session()
    let move = #"{"op":"move","key":"p","parent":null,"first":true}"#
    let answer = try session.apply(move)
    #expect(answer.changes.map(\.kind) == [.move(index: 1, newIndex: 0)])
    #expect(answer.changes.map(\.count) == [6])
    let later = try changes(of: session, since: 0)
    #expect(later.map(\.kind) == [.move(index: 1, newIndex: 0)])
    #expect(later.map(\.count) == [6])
    try session.apply(#"{"op":"update","key":"p","object":1}"#)
    let both = try changes(of: session, since: 0)
    #expect(
      both.map(\.kind)
        == [.move(index: 1, newIndex: 0), .update(index: 1, newIndex: 0, .object)]
    )
  }

  @Test func `a long move among other changes is told as a deletion and an insertion`() throws {
    let session = try session()
    try session.apply(#"{"op":"move","key":"p","parent":null,"first":true}"#)
    try session.apply(#"{"op":"insert","key":"b","parent":null,"first":true}"#)
    let both = try changes(of: session, since: 0)
    #expect(both.map(\.kind) == [.delete(index: 1), .insert(newIndex: 0)])
    #expect(both.map(\.count) == [6, 7])
  }
}

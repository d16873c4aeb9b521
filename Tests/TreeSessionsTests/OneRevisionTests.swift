import Testing
import TreeDomain
import TreeSessions
import TreeStorage

/// Checks that a revision has the same changes in each form.
/// - As the answer to the batch.
/// - As the changes since the revision before it.
/// - As the first event of a late stream.
/// - After a restart.
struct OneRevisionTests {
  /// Operations on the nodes P{a{a1,a2}, b} and Q, and the keys of the rows that move.
  struct Sample: Sendable, CustomTestStringConvertible {
    var operations: [String]
    var moved: Set<String> = ["a", "a1", "a2"]
    var testDescription: String { operations.joined(separator: ",") }
  }

  private static let moveLast = #"{"op":"move","key":"a","parent":"P"}"#
  private static let moveBack = #"{"op":"move","key":"a","parent":"P","first":true}"#

  static let samples = [
    Sample(operations: [moveLast]),
    Sample(operations: [#"{"op":"collapse","key":"P"}"#, #"{"op":"expand","key":"P"}"#, moveLast]),
    Sample(operations: [#"{"op":"collapse","key":"P"}"#, moveLast, #"{"op":"expand","key":"P"}"#]),
    Sample(operations: [
      #"{"op":"move","key":"P","parent":"Q"}"#, moveLast,
      #"{"op":"move","key":"P","parent":null,"first":true}"#,
    ]),
    Sample(operations: [
      #"{"op":"move","key":"P","parent":null}"#,
      #"{"op":"move","key":"P","parent":null,"first":true}"#, moveLast,
    ]),
    Sample(operations: [#"{"op":"collapseAll"}"#, #"{"op":"expandAll"}"#, moveLast]),
    Sample(operations: [moveLast, moveBack, #"{"op":"remove","key":"Q"}"#], moved: []),
  ]

  private static func session(_ order: String, in store: SessionStore) throws -> StoreUnderTest {
    let nodes = #"""
      [{"key":"P","children":[{"key":"a","children":[{"key":"a1"},{"key":"a2"}]},{"key":"b"}]},
      {"key":"Q"}]
      """#
    return try StoreUnderTest(#"{"order":"\#(order)","nodes":\#(nodes)}"#, in: store)
  }

  @Test(arguments: samples, ["depthFirst", "breadthFirst"])
  func `only the moved rows have a move, in each form`(
    sample: Sample,
    order: String
  ) throws {
    let session = try Self.session(order, in: SessionStore())
    let answer = StoreUnderTest.json(try apply(sample.operations, to: session))
    let moves = answer.split(separator: "{").filter { $0.contains(#""type":"move""#) }
    let keys = moves.compactMap { move in
      move.split(separator: #""key":""#).last?.split(separator: "\"").first.map { String($0) }
    }
    #expect(Set(keys) == sample.moved, "\(answer)")
    #expect(try since(0, session) == answer)
    let follower = try session.store.follow(session.id, since: Revision(0), BatchOptions()) {}
    guard case .changes(let event)? = follower.next() else {
      Issue.record("no event came")
      return
    }
    #expect(Self.withoutOrigin(event) == answer)
  }

  private static let collapse = #"{"op":"collapse","key":"Q"}"#

  private static func sort(_ direction: String) -> String {
    ##"{"op":"sort","key":"P","by":[{"by":"#key","direction":"\##(direction)"}]}"##
  }

  private static func children(_ first: String, _ second: String) -> String {
    let children = #"[{"key":"\#(first)"},{"key":"\#(second)"}]"#
    return #"{"op":"setChildren","key":"P","children":\#(children)}"#
  }

  @Test(arguments: [
    [collapse], [collapse, moveLast, moveBack], [moveLast, moveBack, collapse],
    [#"{"op":"select","key":"r"}"#, moveLast, moveBack],
    [collapse, sort("descending"), sort("ascending")],
    [collapse, children("b", "a"), children("a", "b")],
  ])
  func `moves of another session that cancel are not told with later ones`(
    operations: [String]
  ) throws {
    let shared = try SharedStore(
      #"""
      {"nodes":[{"key":"P","children":[{"key":"a"},{"key":"b"}]},
      {"key":"Q","children":[{"key":"r"}]}]}
      """#
    )
    let (author, other) = (try shared.session(""), try shared.session(""))
    _ = try apply(operations, to: author)
    #expect(try author.revision() == 1 && other.revision() == 0)
    let answer = StoreUnderTest.json(try apply([Self.moveLast], to: author))
    let told = try since(0, other)
    for list in [answer, told] {
      let hasMove = list.contains(#""type":"move","key":"a""#)
      #expect(hasMove && !list.contains(#""key":"b""#), "\(list)")
    }
  }

  @Test func `over several revisions, the fewest rows move`() throws {
    let session = try Self.session("depthFirst", in: SessionStore())
    try session.apply(Self.moveLast)
    try session.apply(#"{"op":"update","key":"Q","object":1}"#)
    let list = try since(0, session)
    #expect(list.contains(#"{"type":"move","key":"b""#) && !list.contains("\"a1\""), "\(list)")
  }

  @Test(arguments: samples, [1, 1_000])
  func `a revision has the same changes after a restart`(
    sample: Sample,
    snapshotEntries: Int
  ) throws {
    let storage = MemoryStorage()
    var limits = SessionLimits()
    limits.snapshotEntries = snapshotEntries
    let store = try SessionStore(limits: limits, storage: storage, clock: { 5 })
    let session = try Self.session("depthFirst", in: store)
    let answer = StoreUnderTest.json(try apply(sample.operations, to: session))
    let second = try SessionStore(limits: limits, storage: storage, clock: { 5 })
    let again = StoreUnderTest(session.id, of: second)
    #expect(try since(0, again) == answer)
  }

  @Test(arguments: [
    [#"{"op":"expand","key":"b"}"#, #"{"op":"setChildren","key":"b","children":"unloaded"}"#],
    [#"{"op":"expandAll"}"#, #"{"op":"setChildren","key":"b","children":"unloaded"}"#],
    [#"{"op":"toggle","key":"b"}"#, #"{"op":"setChildren","key":"b","children":"failed"}"#],
    [#"{"op":"setChildren","key":"b","children":"unloaded"}"#, #"{"op":"expand","key":"b"}"#],
  ])
  func `an expanded node that has lost its children is listed as unloaded`(
    operations: [String]
  ) throws {
    let session = try StoreUnderTest(
      #"{"expansion":"none","nodes":[{"key":"a"},{"key":"b","children":[{"key":"c"}]}]}"#
    )
    let answer = StoreUnderTest.json(try apply(operations, to: session))
    #expect(answer.contains(#""unloaded":["b"]"#), "\(answer)")
    #expect(try since(0, session) == answer)
  }

  @Test func `a node that follows the rule is not listed as unloaded`() throws {
    let session = try StoreUnderTest(
      #"{"expansion":"none","nodes":[{"key":"a"},{"key":"b","children":[]}]}"#
    )
    let answer = StoreUnderTest.json(
      try apply(
        [
          #"{"op":"expandAll"}"#, #"{"op":"collapse","key":"b"}"#,
          #"{"op":"setChildren","key":"b","children":"unloaded"}"#,
          #"{"op":"setChildren","key":"a","children":"unloaded"}"#,
          #"{"op":"insert","key":"c","children":"unloaded"}"#,
        ],
        to: session
      )
    )
    #expect(answer.contains(#""unloaded":[]"#), "\(answer)")
    #expect(try since(0, session) == answer)
  }

  private func apply(
    _ operations: [String],
    to session: StoreUnderTest
  ) throws(ServiceError) -> BatchAnswer {
    let list = operations.joined(separator: ",")
    return try session.apply(Array(#"{"operations":[\#(list)]}"#.utf8))
  }

  /// Returns a change list as JSON without its origin, as the answer to a batch has none.
  private static func withoutOrigin(_ list: BatchAnswer) -> String {
    var list = list
    list.origin = nil
    return StoreUnderTest.json(list)
  }

  private func since(_ revision: UInt64, _ session: StoreUnderTest) throws -> String {
    let query = ChangesQuery(since: Revision(revision))
    return Self.withoutOrigin(try session.store.changes(of: session.id, query))
  }
}

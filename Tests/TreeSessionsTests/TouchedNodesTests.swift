import TestSupport
import Testing
import TreeDomain

@testable import TreeSessions

/// What the operations of one request are about together is bounded, whatever its size.
@Suite struct `How many nodes a batch may be about` {
  private static let sort = #"{"op":"sort","key":"p","by":[{"by":"","compare":"number"}]}"#

  /// Ten children of `p`, two of them below the first, with a session.
  private func tree(maxNodesTouched: Int) throws -> (SharedStore, StoreUnderTest) {
    var limits = SessionLimits()
    limits.maxNodesTouched = maxNodesTouched
    let children = (1..<10).map { #"{"key":"\#($0)","object":\#(10 - $0)}"# }
    let first = #"{"key":"0","object":0,"children":[{"key":"a"},{"key":"b"}]}"#
    let list = ([first] + children).joined(separator: ",")
    let shared = try SharedStore(
      #"{"nodes":[{"key":"p","object":{"a":0},"children":[\#(list)]},{"key":"q"}]}"#,
      limits: limits
    )
    return (shared, try shared.session(#""selection":"multiple""#))
  }

  private func apply(
    _ operations: [String],
    to shared: SharedStore,
    _ session: StoreUnderTest
  ) throws -> ServiceError? {
    let list = operations.joined(separator: ",")
    let batch = try Batch.decode(body: Array(#"{"operations":[\#(list)]}"#.utf8))
    return refusal { () throws(ServiceError) in
      _ = try shared.store.apply(batch, to: session.id, BatchOptions())
    }
  }

  static let operations: [(String, nodes: Int)] = [
    (sort, 10),
    (#"{"op":"sort","by":[{"by":""}]}"#, 14),
    (#"{"op":"move","keys":["p","q"],"first":true}"#, 0),
    (#"{"op":"setChildren","key":"q","children":[]}"#, 1),
    (#"{"op":"collapse","key":"p"}"#, 0),
    (#"{"op":"collapse","key":"p","levels":"all"}"#, 13),
    (#"{"op":"expand","key":"p","levels":"all"}"#, 13),
    (#"{"op":"toggle","key":"0","levels":2}"#, 3),
    (#"{"op":"expandAll"}"#, 14),
    (#"{"op":"select","subtree":"p"}"#, 13),
    (#"{"op":"update","key":"q","object":1}"#, 0),
    (#"{"op":"insert","key":"new","object":1}"#, 0),
  ]

  @Test(arguments: operations)
  func `an operation counts what it is about, against those behind it`(
    operation: String,
    nodes: Int
  ) throws {
    let last = #"{"op":"remove","key":"q"}"#
    let (enough, session) = try tree(maxNodesTouched: nodes)
    #expect(try apply([operation, last], to: enough, session) == nil)
    guard nodes > 0 else { return }
    let (few, other) = try tree(maxNodesTouched: nodes - 1)
    let before = try few.store.session(other.id, expectedRevision: nil)
    let refused = try apply([operation, last], to: few, other)
    #expect(refused?.code == .contentTooLarge && refused?.limit == nodes - 1)
    #expect(refused?.operation == 1)
    #expect(try few.store.session(other.id, expectedRevision: nil) == before)
    #expect(try apply([operation], to: few, other) == nil, "one alone may be about all")
  }

  @Test func `a move counts what is toggled in what it moves, key by key`() throws {
    let move = #"{"op":"move","keys":["p","0","q"]}"#
    let (plain, one) = try tree(maxNodesTouched: 2)
    #expect(try apply([move], to: plain, one) == nil)
    let (toggled, other) = try tree(maxNodesTouched: 2)
    for key in ["0", "p"] {
      #expect(try apply([#"{"op":"toggle","key":"\#(key)"}"#], to: toggled, other) == nil)
    }
    let before = try toggled.store.session(other.id, expectedRevision: nil)
    #expect(try apply([move], to: toggled, other)?.code == .contentTooLarge)
    #expect(try toggled.store.session(other.id, expectedRevision: nil) == before)
    let fewer = #"{"op":"move","keys":["p","q"]}"#
    #expect(try apply([fewer], to: toggled, other) == nil)
  }

  @Test func `a session that forgets counts all below what it collapses`() throws {
    let (shared, _) = try tree(maxNodesTouched: 12)
    let session = try shared.session(#""nestedExpansion":"forget""#)
    let collapse = #"{"op":"collapse","key":"p"}"#
    let toggle = #"{"op":"toggle","key":"q"}"#
    #expect(try apply([collapse, toggle], to: shared, session)?.code == .contentTooLarge)
    #expect(try apply([toggle, collapse], to: shared, session) == nil)
  }

  @Test func `where the rule expands nothing, only what is toggled counts`() throws {
    // The one section is toggled, and what is expanded.
    let (shared, _) = try tree(maxNodesTouched: 4)
    let session = try shared.session(#""nestedExpansion":"forget","expansion":"none""#)
    let turn = [#"{"op":"expand","key":"p"}"#, #"{"op":"collapse","key":"p"}"#]
    #expect(try apply(turn + turn, to: shared, session) == nil)
    #expect(try apply(turn + turn + turn + turn, to: shared, session)?.operation == 6)
  }

  @Test func `an accordion counts the siblings it looks at`() throws {
    var limits = SessionLimits()
    limits.maxNodesTouched = 3
    let list = (0..<32).map { #"{"key":"\#($0)","children":[{"key":"\#($0)a"}]}"# }
    let shared = try SharedStore(
      #"{"nodes":[{"key":"p","children":[\#(list.joined(separator: ","))]}]}"#,
      limits: limits
    )
    let session = try shared.session(#""accordion":true,"expansion":"all""#)
    let turn = [#"{"op":"collapse","key":"0"}"#, #"{"op":"expand","key":"0"}"#]
    #expect(try apply(turn, to: shared, session) == nil)
    #expect(try apply(turn + turn, to: shared, session)?.operation == 3)
  }

  @Test func `a merge counts what it is merged into`() throws {
    let text = String(repeating: "a", count: 1_000)
    let (shared, session) = try tree(maxNodesTouched: 20)
    let large = #"{"op":"update","key":"q","object":{"a":"\#(text)"}}"#
    let merge = #"{"op":"update","key":"q","merge":{"b":1}}"#
    #expect(try apply([large], to: shared, session) == nil)
    #expect(try apply([merge, merge], to: shared, session) == nil)
    let refused = try apply([merge, merge, merge], to: shared, session)
    #expect(refused?.code == .contentTooLarge && refused?.operation == 2)
  }

  @Test func `what was taken once is taken again from the journal`() {
    var limits = SessionLimits()
    limits.maxNodesTouched = 1
    #expect(limits.forReplay.maxNodesTouched == .max)
  }
}

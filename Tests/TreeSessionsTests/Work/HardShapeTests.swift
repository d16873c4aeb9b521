import TestSupport
import Testing
import TreeDomain

@testable import TreeSessions

/// Checks that each call on a hard shape is small, or is continued by an executor.
@Suite struct `Calls on hard shapes` {
  private static let sort = #"{"by":"/q","compare":"number"}"#

  private func trial(
    _ shared: SharedStore,
    _ session: StoreUnderTest,
    _ operations: [String],
    clock: @escaping @Sendable () -> Int = Attempt.clock
  ) throws -> TriedCall? {
    let list = operations.joined(separator: ",")
    let batch = try Batch.decode(body: Array(#"{"operations":[\#(list)]}"#.utf8))
    var options = BatchOptions()
    options.format = .ranges
    return shared.store.trial(clock: clock) { service throws(ServiceError) in
      _ = try service.apply(batch, to: session.id, options)
    }
  }

  /// Expects that each operation, in a batch of its own, is large or small.
  private func expect(
    _ shared: SharedStore,
    _ session: StoreUnderTest,
    large: [String],
    small: [String]
  ) throws {
    for operation in large {
      let before = try session.rows()
      #expect(try trial(shared, session, [operation])?.next != nil, "\(operation)")
      #expect(try session.rows() == before)
    }
    for operation in small {
      // The clock stands still, because a busy machine may take long for little.
      let tried = try trial(shared, session, [operation], clock: { 0 })
      #expect(tried == nil, "\(operation)")
    }
  }

  private func patch(
    _ shared: SharedStore,
    _ session: StoreUnderTest,
    _ body: String
  ) throws -> TriedCall? {
    let patch = try SessionPatch.decode(body: Array(body.utf8))
    return shared.store.trial { service throws(ServiceError) in
      _ = try service.patchSession(session.id, patch, BatchOptions())
    }
  }

  @Test func `sorted siblings with large objects`() throws {
    let text = String(repeating: "x", count: 100_000)
    let large = (0..<64).map { #"{"key":"\#($0)","object":{"t":"\#(text)"}}"# }
    let nodes = (large + [#"{"key":"s","object":{"q":1}}"#, #"{"key":"e"}"#])
    let shared = try SharedStore(
      #"{"sort":[\#(Self.sort)],"nodes":[\#(nodes.joined(separator: ","))]}"#
    )
    let session = try shared.session("")
    let update = #"{"op":"update","key":"s","object":{"q":2}}"#
    #expect(try trial(shared, session, Array(repeating: update, count: 190))?.next != nil)
    try expect(
      shared,
      session,
      large: [
        update, #"{"op":"insert","key":"n","object":{"q":3}}"#,
        #"{"op":"sort","by":[\#(Self.sort)]}"#, #"{"op":"update","key":"7","merge":{"q":1}}"#,
      ],
      small: [
        #"{"op":"insert","key":"under","parent":"e","object":{"q":3}}"#,
        #"{"op":"expand","key":"e"}"#, #"{"op":"select","keys":["s"]}"#,
      ]
    )
    #expect(try patch(shared, session, #"{"filter":{"by":"/t","contains":"y"}}"#)?.next != nil)
    let page = shared.store.trial { service throws(ServiceError) in
      _ = try service.rows(of: session.id, RowQuery(.offset(0, limit: 64)))
    }
    #expect(page?.next != nil)
  }

  @Test func `a chain`() throws {
    let depth = 2_000
    let shared = try SharedStore(#"{"nodes":[{"key":"0"},{"key":"other"}]}"#)
    try shared.apply(
      (1..<depth).map { #"{"op":"insert","key":"\#($0)","parent":"\#($0 - 1)"}"# }
        .joined(separator: ",")
    )
    let session = try shared.session(#""selection":"multiple","expansion":"none""#)
    let last = depth - 1
    try expect(
      shared,
      session,
      large: [
        #"{"op":"reveal","keys":["\#(last)"]}"#, #"{"op":"expand","key":"0","levels":"all"}"#,
        #"{"op":"remove","key":"0"}"#, #"{"op":"move","keys":["0"],"parent":"other"}"#,
        #"{"op":"select","subtree":"0"}"#, #"{"op":"setChildren","key":"0","children":[]}"#,
      ],
      small: [
        #"{"op":"update","key":"\#(last)","object":1}"#, #"{"op":"toggle","key":"0"}"#,
        #"{"op":"remove","key":"\#(last)"}"#, #"{"op":"reveal","keys":["2"]}"#,
      ]
    )
    let few = (1_000..<1_100).map { "\"\($0)\"" }.joined(separator: ",")
    #expect(
      try trial(shared, session, [#"{"op":"reveal","keys":[\#(few)]}"#])?.next != nil,
      "ancestors are counted for each key"
    )
    let ancestors = shared.store.trial { service throws(ServiceError) in
      _ = try service.ancestors(
        of: Array("\(last - 1)".utf8),
        of: session.id,
        fields: nil,
        expectedRevision: nil
      )
    }
    #expect(ancestors?.next != nil)
  }

  @Test func `a star`() throws {
    let nodes = (0..<2_000).map { #"{"key":"\#($0)","object":{"q":\#($0 % 7)}}"# }
    let shared = try SharedStore(
      #"{"nodes":[{"key":"hub","children":[\#(nodes.joined(separator: ","))]},{"key":"e"}]}"#
    )
    let session = try shared.session(#""selection":"multiple""#)
    let accordion = try shared.session(#""accordion":true,"expansion":"all""#)
    let place = #""sort":[\#(Self.sort)]"#
    try expect(
      shared,
      session,
      large: [
        #"{"op":"sort","key":"hub","by":[\#(Self.sort)]}"#, #"{"op":"remove","key":"hub"}"#,
        #"{"op":"insert","key":"n","parent":"hub",\#(place)}"#, #"{"op":"expandAll"}"#,
        #"{"op":"move","keys":["hub"],"parent":"e"}"#, #"{"op":"select","subtree":"hub"}"#,
        #"{"op":"remove","keys":["hub","e"]}"#,
        #"{"op":"setChildren","key":"hub","children":[]}"#,
        #"{"op":"collapse","key":"hub","levels":"all"}"#,
      ],
      small: [
        #"{"op":"collapse","key":"hub"}"#, #"{"op":"expand","key":"hub"}"#,
        #"{"op":"insert","key":"m","parent":"hub","index":7}"#,
        #"{"op":"move","keys":["7"],"parent":"e"}"#, #"{"op":"remove","key":"8"}"#,
      ]
    )
    #expect(try trial(shared, accordion, [#"{"op":"toggle","key":"9"}"#])?.next != nil)
    #expect(try patch(shared, session, #"{"order":"breadthFirst"}"#)?.next != nil)
    let search = shared.store.trial { service throws(ServiceError) in
      _ = try service.search(in: session.id, SearchQuery(Search(Array("no".utf8)), limit: 1))
    }
    #expect(search?.next != nil)
  }

  @Test func `many sessions with filters`() throws {
    let shared = try SharedStore(#"{"nodes":[{"key":"a","object":1},{"key":"b"}]}"#)
    let session = try shared.session("")
    let update = #"{"op":"update","key":"a","object":2}"#
    try expect(shared, session, large: [], small: [update])
    let tests = (0..<40).map { #"{"by":"","equals":\#($0)}"# }.joined(separator: ",")
    for _ in 0..<20 { _ = try shared.session(#""filter":{"any":[\#(tests)]}"#) }
    try expect(shared, session, large: [update], small: [#"{"op":"toggle","key":"a"}"#])
  }

  @Test func `many descriptors`() throws {
    let text = String(repeating: "x", count: 20_000)
    let nodes = (0..<10).map { #"{"key":"\#($0)","object":{"t":"\#(text)"}}"# }
    let shared = try SharedStore(#"{"nodes":[\#(nodes.joined(separator: ","))]}"#)
    let session = try shared.session("")
    let many = (0..<16).map { #"{"by":"/\#($0)"}"# }.joined(separator: ",")
    try expect(
      shared,
      session,
      large: [
        #"{"op":"sort","by":[\#(many)]}"#,
        #"{"op":"insert","key":"n","sort":[\#(many)]}"#,
      ],
      small: [#"{"op":"sort","by":[{"by":"/1"}]}"#]
    )
  }
}

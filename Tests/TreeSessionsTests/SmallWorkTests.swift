import TestSupport
import Testing
import TreeDomain

@testable import TreeSessions

/// Checks the size of calls, which is known before they begin even if the request does not show it.
@Suite struct `Size of calls` {
  private static let sort = #"[{"by":"","compare":"number"}]"#

  private func limits(_ change: (inout SessionLimits) -> Void) -> SessionLimits {
    var limits = SessionLimits()
    change(&limits)
    return limits
  }

  /// Creates a tree with a child of `p` for each object.
  private func star(_ objects: [String], _ limits: SessionLimits) throws -> SharedStore {
    let children = objects.enumerated().map { #"{"key":"\#($0)","object":\#($1)}"# }
    let list = children.joined(separator: ",")
    return try SharedStore(
      #"{"nodes":[{"key":"p","children":[\#(list)]},{"key":"q"}]}"#,
      limits: limits
    )
  }

  private func nonblocking(_ shared: SharedStore, _ operations: String...) throws -> TriedCall? {
    let list = operations.joined(separator: ",")
    let batch = try Batch.decode(body: Array(#"{"operations":[\#(list)]}"#.utf8))
    return shared.store.trial { service throws(ServiceError) in
      _ = try service.apply(batch, to: shared.tree, BatchOptions())
    }
  }

  private func insert(_ key: String, _ place: String, under parent: String = "p") -> String {
    #"{"op":"insert","key":"\#(key)","parent":"\#(parent)","object":1,\#(place)}"#
  }

  @Test func `a sorted place is small only among siblings known to be sorted`() throws {
    let objects = [9] + Array(0..<300)
    let shared = try star(objects.map(String.init), limits { $0.maxSmallNodes = 100 })
    let sorted = #""sort":\#(Self.sort)"#
    #expect(try nonblocking(shared, insert("a", #""index":0"#)) == nil)
    #expect(try nonblocking(shared, insert("b", sorted, under: "q")) == nil)
    #expect(try nonblocking(shared, insert("c", sorted))?.next != nil)
    #expect(try nonblocking(shared, #"{"op":"move","keys":["7"],\#(sorted)}"#) == nil)
    let back = #"{"op":"move","keys":["7"],"parent":"p",\#(sorted)}"#
    #expect(try nonblocking(shared, back)?.next != nil)
    try shared.apply(#"{"op":"sort","key":"p","by":\#(Self.sort)}"#)
    #expect(try nonblocking(shared, insert("d", sorted), insert("e", sorted)) == nil)
    // An insertion by index makes the siblings unsorted for the operations after it.
    #expect(try nonblocking(shared, insert("f", #""index":0"#), insert("g", sorted))?.next != nil)
  }

  @Test func `a change that many followers learn of is large`() throws {
    let shared = try SharedStore(#"{"nodes":[{"key":"a"}]}"#)
    let (followed, other) = (try shared.session(""), try shared.session(""))
    let update = #"{"op":"update","key":"a","object":1}"#
    #expect(try nonblocking(shared, update) == nil)
    let followers = try (0..<1_100).map { _ in
      try shared.store.follow(followed.id, since: nil, BatchOptions()) {}
    }
    #expect(try nonblocking(shared, update)?.next != nil)
    for (session, isLarge) in [(followed, true), (other, false)] {
      let batch = try Batch.decode(body: Array(#"{"operations":[{"op":"expandAll"}]}"#.utf8))
      let trial = shared.store.trial { service throws(ServiceError) in
        _ = try service.apply(batch, to: session.id, BatchOptions())
      }
      #expect((trial?.next != nil) == isLarge)
    }
    for follower in followers { follower.cancel() }
    #expect(try nonblocking(shared, update) == nil)
  }

  @Test func `a change to all expanded nodes is large if some children are unloaded`() throws {
    let nodes = (0..<4_000).map { #"{"key":"\#($0)"}"# }.joined(separator: ",")
    let shared = try SharedStore(
      #"{"nodes":[{"key":"a","children":[\#(nodes)]},{"key":"b","children":[]}]}"#
    )
    let session = try shared.session(#""expansion":"none""#)
    var options = BatchOptions()
    options.format = .ranges
    func collapse() throws -> TriedCall? {
      let batch = try Batch.decode(body: Array(#"{"operations":[{"op":"collapseAll"}]}"#.utf8))
      return shared.store.trial { service throws(ServiceError) in
        _ = try service.apply(batch, to: session.id, options)
      }
    }
    #expect(try collapse() == nil)
    try shared.apply(#"{"op":"setChildren","key":"b","children":"unloaded"}"#)
    #expect(try collapse()?.next != nil)
    try shared.apply(#"{"op":"setChildren","key":"b","children":null}"#)
    #expect(try collapse() == nil)
  }

  @Test func `filters and searches over long objects are large`() throws {
    let long = "\"" + String(repeating: "a", count: 30_000) + "\""
    let small = try SharedStore(#"{"nodes":[{"key":"a"}]}"#)
    let large = try star([long], SessionLimits())
    let predicate = #"{"by":"","contains":"aab"}"#
    let many = Array(repeating: predicate, count: 30).joined(separator: ",")
    for (shared, isLong) in [(small, false), (large, true)] {
      let session = try shared.session("")
      func set(_ filter: String) throws -> TriedCall? {
        let patch = try SessionPatch.decode(body: Array(#"{"filter":\#(filter)}"#.utf8))
        return shared.store.trial { service throws(ServiceError) in
          _ = try service.patchSession(session.id, patch, BatchOptions())
        }
      }
      #expect(try set(predicate) == nil)
      #expect((try set(#"{"any":[\#(many)]}"#)?.next != nil) == isLong)
    }
    let longer = try star(Array(repeating: long, count: 40), SessionLimits())
    let session = try longer.session("")
    let refused = longer.store.trial { service throws(ServiceError) in
      let query = SearchQuery(Search(Array("b".utf8)), limit: 1)
      _ = try service.search(in: session.id, query)
    }
    #expect(refused?.next != nil)
  }

  @Test func `an update that many filters test is large`() throws {
    let shared = try star(["1"], SessionLimits())
    let update = #"{"op":"update","key":"0","object":2}"#
    #expect(try nonblocking(shared, update) == nil)
    let predicate = #"{"by":"","equals":7}"#
    let many = Array(repeating: predicate, count: 100).joined(separator: ",")
    for _ in 0..<10 { _ = try shared.session(#""filter":{"any":[\#(many)]}"#) }
    #expect(try nonblocking(shared, update)?.next != nil)
  }

  @Test func `the number of distinct level rules of a tree is limited`() throws {
    let shared = try star(["1"], limits { $0.maxExpansionRulesPerTree = 2 })
    func open(_ levels: Int) throws -> StoreUnderTest {
      try shared.session(#""expansion":\#(levels)"#)
    }
    func patch(_ session: StoreUnderTest, _ levels: Int) throws -> ServiceError? {
      let patch = try SessionPatch.decode(body: Array(#"{"expansion":\#(levels)}"#.utf8))
      return refusal { () throws(ServiceError) in
        _ = try shared.store.patchSession(session.id, patch, BatchOptions())
      }
    }
    let (first, second) = (try open(1), try open(2))
    #expect(throws: ServiceError.self) { try open(3) }
    _ = try (open(1), open(2), open(0))
    #expect(try patch(first, 3)?.limit == 2)
    #expect(try patch(first, 2) == nil && patch(first, 0) == nil)
    _ = try second.keys()
  }

  @Test func `an update is large if followers want it in many forms`() throws {
    let shared = try star(["1"], limits { $0.maxSmallNodes = 250 })
    let session = try shared.session("")
    func follow(_ rows: Int) throws -> any Following {
      let options = BatchOptions(includedRows: rows)
      return try shared.store.follow(session.id, since: nil, options) {}
    }
    let update = #"{"op":"update","key":"0","object":2}"#
    var followers = try (0..<200).map { _ in try follow(1) }
    #expect(try nonblocking(shared, update) == nil)
    followers += try (0..<200).map { try follow($0) }
    #expect(try nonblocking(shared, update)?.next != nil)
    for follower in followers.dropFirst(201) { follower.cancel() }
    #expect(try nonblocking(shared, update) == nil)
    guard case .changes? = followers.first?.next() else {
      Issue.record("who follows is told")
      return
    }
    try shared.store.deleteSession(session.id)
    #expect(try nonblocking(shared, update) == nil)
    try shared.store.find(shared.tree).withTree(.blocking) { manager throws(ServiceError) in
      #expect(manager.sessions.audience == 0)
    }
  }
}

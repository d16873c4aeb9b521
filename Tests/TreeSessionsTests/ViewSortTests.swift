import TestSupport
import Testing
import TreeDomain
import TreeEngine

@testable import TreeSessions

/// Sessions whose rows are sorted otherwise than their tree.
@Suite struct ViewSortTests {
  private static let tree =
    #"{"nodes":[{"key":"f","object":{"n":2},"children":[{"key":"x","object":{"n":1}},"#
    + #"{"key":"y","object":{"n":3}},{"key":"z","object":{"n":2}}]},{"key":"g","object":{"n":1}}]}"#
  private static let ascending = #""viewSort":[{"by":"/n"}]"#
  private static let descending = #""viewSort":[{"by":"/n","direction":"descending"}]"#

  private func orderings(_ shared: SharedStore) throws -> Int {
    try shared.store.find(shared.tree).withTree(.blocking) { tree in
      #expect(tree.content.orderings.count == tree.content.tree.orderingIDs.count)
      return tree.content.tree.orderingIDs.count
    }
  }

  private func patch(
    _ session: StoreUnderTest,
    _ members: String,
    isDryRun: Bool = false
  ) throws(ServiceError) -> PatchAnswer {
    let patch = try SessionPatch.decode(body: Array("{\(members)}".utf8))
    var options = BatchOptions()
    options.isDryRun = isDryRun
    return try session.store.patchSession(session.id, patch, options)
  }

  @Test func `rows are in their own order, and those of others in that of the tree`() throws {
    let shared = try SharedStore(Self.tree)
    let (plain, sorted) = (try shared.session(""), try shared.session(Self.ascending))
    #expect(try plain.keys() == ["f", "x", "y", "z", "g"])
    #expect(try sorted.keys() == ["g", "f", "x", "z", "y"])
    _ = try patch(sorted, Self.descending)
    #expect(try sorted.keys() == ["f", "y", "z", "x", "g"])
    _ = try patch(sorted, #""order":"breadthFirst""#)
    #expect(try sorted.keys() == ["f", "g", "y", "z", "x"])
    _ = try patch(sorted, #""order":"depthFirst","viewSort":null"#)
    #expect(try sorted.keys() == plain.keys())
  }

  @Test func `an update moves a row to where it belongs, in sorted sessions alone`() throws {
    let shared = try SharedStore(Self.tree)
    let (plain, sorted) = (try shared.session(""), try shared.session(Self.ascending))
    let answer = try sorted.apply(#"{"op":"update","key":"x","object":{"n":9}}"#)
    let text = StoreUnderTest.json(answer)
    let move = #"{"type":"move","key":"x","index":2,"newIndex":4,"depth":1,"parent":"f"}"#
    #expect(text.contains(#""changes":[\#(move),"#), "\(text)")
    #expect(try sorted.keys() == ["g", "f", "z", "y", "x"])
    #expect(try plain.keys() == ["f", "x", "y", "z", "g"])
    let query = ChangesQuery(since: Revision(0), options: BatchOptions())
    let told = try shared.store.changes(of: sorted.id, query)
    #expect(StoreUnderTest.json(told).contains(move))
  }

  @Test func `sessions with the same descriptors share one ordering, which goes with the last`()
    throws
  {
    let shared = try SharedStore(Self.tree)
    let sessions = try (0..<3).map { _ in try shared.session(Self.ascending) }
    #expect(try orderings(shared) == 1)
    let other = try shared.session(Self.descending)
    #expect(try orderings(shared) == 2)
    _ = try patch(other, Self.ascending)
    #expect(try orderings(shared) == 1)
    _ = try patch(other, ##""viewSort":[{"by":"#key"}]"##, isDryRun: true)
    #expect(try orderings(shared) == 1)
    for session in sessions { try shared.store.deleteSession(session.id) }
    #expect(try orderings(shared) == 1)
    _ = try patch(other, #""viewSort":null"#)
    #expect(try orderings(shared) == 0)
  }

  @Test func `there are not more orders than the limit`() throws {
    var limits = SessionLimits()
    limits.maxViewSortsPerTree = 1
    let shared = try SharedStore(Self.tree, limits: limits)
    let session = try shared.session(Self.ascending)
    let refused = refusal { () throws(ServiceError) in
      let body = Array(#"{"tree":"t",\#(Self.descending)}"#.utf8)
      var new = try NewSession.decode(body: body)
      new.tree = shared.tree
      _ = try shared.store.createSession(new, nil)
    }
    #expect(refused?.code == .overloaded && refused?.limit == 1)
    let other = try shared.session(Self.ascending)
    let error = refusal { () throws(ServiceError) in _ = try patch(other, Self.descending) }
    #expect(error?.code == .overloaded)
    #expect(try other.keys() == session.keys())
    #expect(try orderings(shared) == 1)
  }

  @Test func `an ordering is counted once, however many sessions have it`() throws {
    let nodes = (0..<2_000).map { #"{"key":"k\#($0)","object":{"n":\#($0 % 7)}}"# }
    let children = nodes.joined(separator: ",")
    let shared = try SharedStore(#"{"nodes":[{"key":"top","children":[\#(children)]}]}"#)
    func layers() throws -> Int {
      try shared.store.find(shared.tree).withTree(.blocking) { $0.held.engine.layers }
    }
    let first = try shared.session(Self.ascending + #","expansion":"none""#)
    let one = try layers()
    let second = try shared.session(Self.ascending + #","expansion":"none""#)
    let two = try layers()
    #expect(one > 2 * (two - one), "\(one) and then \(two) bytes")
    for session in [first, second] { try shared.store.deleteSession(session.id) }
    #expect(try layers() == 0)
  }

  @Test func `many changes at once are followed as one`() throws {
    let shared = try SharedStore(Self.tree)
    let sorted = try shared.session(Self.ascending)
    let nodes = (0..<500).map { #"{"key":"k\#($0)","object":{"n":\#(500 - $0)}}"# }
    let operation = #"{"op":"setChildren","key":"f","children":[\#(nodes.joined(separator: ","))]}"#
    try shared.apply(operation)
    let expected = ["g", "f"] + (0..<500).reversed().map { "k\($0)" }
    #expect(try sorted.keys() == expected)
    let fresh = try shared.session(Self.ascending)
    #expect(try sorted.rows() == fresh.rows())
    try shared.store.find(shared.tree).withTree(.blocking) { $0.content.tree.checkInvariants() }
  }
}

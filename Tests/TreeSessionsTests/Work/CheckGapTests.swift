import Synchronization
import Testing
import TreeDomain
import TreeEngine

@testable import TreeSessions

/// Checks that work counts a step for each of its nodes, and few steps at a time.
@Suite struct `Steps between two checks` {
  /// The steps that a piece of work counts, and the largest number between two checks.
  private struct Count {
    var all = 0
    var mostAtOnce = 0
  }

  /// Stops an operation at its first check, then at its second one, and so on until it completes.
  private func count(
    _ tree: inout MeteredTree,
    _ operations: [String],
    by session: OpenSession?
  ) throws -> Count {
    var count = Count()
    for checks in 0..<1_000 {
      let refused = refusal { () throws(ServiceError) in
        try tree.apply(operations, by: session, LastCheck(after: checks))
      }
      let steps = tree.manager.meter.steps
      count.mostAtOnce = max(count.mostAtOnce, steps - count.all)
      count.all = steps
      guard let refused else { return count }
      #expect(refused.detail == LastCheck.detail)
    }
    Issue.record("it never ends")
    return count
  }

  private static let nodeCount = 1_000

  private static func nodes(_ count: Int, _ prefix: String = "n") -> String {
    (0..<count).map { #"{"key":"\#(prefix)\#($0)","object":{"q":\#($0 * 7 % 97)}}"# }
      .joined(separator: ",")
  }

  private static func tree(_ shape: Int) throws -> MeteredTree {
    switch shape {
    case 0: return try star()
    case 1: return try bush()
    default: return try chain()
    }
  }

  /// Creates a tree in which one node is the parent of all others.
  private static func star() throws -> MeteredTree {
    try MeteredTree(
      #"{"nodes":[{"key":"top","children":[\#(nodes(nodeCount))]},{"key":"e"}]}"#
    )
  }

  /// Creates a tree of parents with 50 children each.
  private static func bush() throws -> MeteredTree {
    let parents = (0..<nodeCount / 50).map { number in
      #"{"key":"p\#(number)","children":[\#(nodes(50, "c\(number)_"))]}"#
    }
    let all = parents.joined(separator: ",")
    return try MeteredTree(#"{"nodes":[{"key":"top","children":[\#(all)]},{"key":"e"}]}"#)
  }

  /// Creates a chain by insertions, as the depth of a body is limited.
  private static func chain() throws -> MeteredTree {
    var tree = try MeteredTree(#"{"nodes":[{"key":"top"},{"key":"e"}]}"#)
    try tree.apply(
      (0..<nodeCount).map { number in
        let parent = number == 0 ? "top" : "n\(number - 1)"
        return #"{"op":"insert","key":"n\#(number)","parent":"\#(parent)"}"#
      }
    )
    return tree
  }

  static let operations = [
    #"{"op":"remove","key":"top"}"#, #"{"op":"remove","keys":["top","e"]}"#,
    #"{"op":"collapseAll"}"#, #"{"op":"collapse","key":"top","levels":"all"}"#,
    #"{"op":"select","subtree":"top"}"#, #"{"op":"sort","by":[{"by":"/q"}]}"#,
    #"{"op":"setChildren","key":"top","children":[]}"#,
    #"{"op":"setChildren","key":null,"children":[]}"#,
    #"{"op":"insert","key":"new","parent":"e","children":[\#(nodes(nodeCount, "new"))]}"#,
    #"{"op":"setChildren","key":"e","children":[\#(nodes(nodeCount, "new"))]}"#,
  ]

  /// A control that counts pauses, and never stops the work.
  private final class PauseCount: WorkControl {
    private let pauses = Atomic(0)

    var count: Int { pauses.load(ordering: .relaxed) }

    func check() throws(ServiceError) {}

    func pause() { pauses.add(1, ordering: .relaxed) }
  }

  /// Work that can be neither stopped nor undone leaves others their share.
  @Test(arguments: [false, true], 0..<2)
  func `a commit and a rollback of many nodes pause`(isDryRun: Bool, shape: Int) throws {
    for operation in Self.operations where !operation.contains("collapse") {
      var tree = try Self.tree(shape)
      let session = try tree.open(#"{"expansion":1,"selection":"multiple"}"#)
      let control = PauseCount()
      var options = BatchOptions()
      options.isDryRun = isDryRun
      let batch = try Batch.decode(body: Array(#"{"operations":[\#(operation)]}"#.utf8))
      tree.manager.meter.begin(control)
      tree.manager.meter.interval = 100
      _ = try tree.manager.apply(batch, by: session, options, at: 0)
      // What a commit of insertions frees is little, and a selection is undone in large parts.
      let isFreeing = operation.contains("remove") || operation.contains("[]")
      let fewest = isFreeing || isDryRun ? operation.contains("select") ? 1 : 5 : 0
      #expect(control.count >= fewest, "\(operation)")
    }
  }

  /// The former order is found again among the siblings, one by one.
  @Test func `the search for what moves have changed counts`() throws {
    var tree = try Self.star()
    let sorts = ["descending", "ascending"].map {
      #"{"op":"sort","key":"top","by":[{"by":"/q","direction":"\#($0)"}]}"#
    }
    try tree.apply([sorts[1]])
    let revision = tree.manager.content.treeRevision
    let once = try tree.apply([sorts[1]])
    #expect(once < 100, "nothing is sorted again")
    let count = try count(&tree, sorts, by: nil)
    let after = tree.manager.content.treeRevision
    #expect(after == revision, "the sorts cancel")
    #expect(count.all >= 20 * Self.nodeCount, "\(count)")
    #expect(count.mostAtOnce <= WorkMeter.interval + 6 * Self.nodeCount, "\(count)")
  }

  /// Each node to be revealed asks whether the batch has changed anything so far.
  @Test func `the search for changes of objects counts each time`() throws {
    var tree = try MeteredTree(#"{"nodes":[\#(Self.nodes(100))]}"#)
    let session = try tree.open(#"{"filter":{"not":{"by":"/q","equals":-1}}}"#)
    let updates = (0..<100).flatMap { number in
      [number, number * 7 % 97].map {
        #"{"op":"update","key":"n\#(number)","object":{"q":\#($0)}}"#
      }
    }
    let reveals = (0..<100).map { #"{"op":"reveal","keys":["n\#($0)"]}"# }
    let steps = try tree.apply(updates + reveals, by: session)
    #expect(steps >= 100 * 100, "\(steps)")
  }

  @Test func `an import counts each of its nodes before the tree is locked, and in it`() throws {
    var decoder = ImportDecoder()
    for number in 0..<Self.nodeCount { try decoder.feed(Array("{\"key\":\"i\(number)\"}\n".utf8)) }
    let nodes = try decoder.finish()
    var steps: [Int] = []
    let forest = try ImportForest(nodes) { steps.append($0) }
    #expect(steps.reduce(0, +) >= Self.nodeCount && steps.allSatisfy { $0 <= 2 })
    #expect(throws: ServiceError.self) {
      _ = try ImportForest(nodes) { _ throws(ServiceError) in throw .treeNotFound }
    }
    var tree = try Self.star()
    tree.manager.meter.begin(nil)
    _ = try tree.manager.importNodes(forest, BatchOptions(), at: 0)
    #expect(tree.manager.meter.steps >= 4 * Self.nodeCount)
  }

  @Test(arguments: operations, 0..<3)
  func `each node counts, and few steps count at once`(operation: String, shape: Int) throws {
    var tree = try Self.tree(shape)
    let session = try tree.open(#"{"expansion":"all","selection":"multiple"}"#)
    let isView = !["remove", "setChildren", "insert"].contains { operation.contains($0) }
    let count = try count(&tree, [operation], by: isView ? session : nil)
    #expect(count.all >= Self.nodeCount, "\(count)")
    // A node that is listed, or placed among its siblings, counts several times.
    let most = WorkMeter.interval + 6 * Self.nodeCount
    #expect(count.mostAtOnce <= most, "\(count)")
    tree.manager.content.tree.checkInvariants()
  }
}

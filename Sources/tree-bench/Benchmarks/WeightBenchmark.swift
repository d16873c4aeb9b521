import TreeDomain

/// The costs of the operations of a batch, each per unit of what determines its cost.
enum WeightBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "weights", smallSize: 1_200, largeSize: 1_000_000) { size in
      let tree = StoredTree(.tenfold, count: size)
      let session = tree.open()
      // What grows by doubling has done so.
      tree.apply(#"{"op":"insert","key":"w"}"#, to: session)
      return edits(of: tree, session) + subtrees(of: tree, session)
    }
  }

  /// Measures small operations, per operation.
  private static func edits(of tree: StoredTree, _ session: SessionID) -> [Measurement] {
    var random = SplitMix(seed: 31)
    let count = 100
    func parent() -> String { StoredTree.key(random.below(tree.size)) }
    func measure(_ label: String, _ operation: (Int) -> String) -> Measurement {
      let operations = (0..<count).map(operation).joined(separator: ",")
      return Measurement("weight of \(label)", size: tree.size, rounds: 1, operations: count) {
        UInt64(tree.apply(operations, to: session) + 1)
      }
    }
    return [
      measure("an insertion") { #"{"op":"insert","key":"w\#($0)","parent":"\#(parent())"}"# },
      measure("an update") { #"{"op":"update","key":"w\#($0)","object":{"a":1}}"# },
      measure("a merge") { #"{"op":"update","key":"w\#($0)","merge":{"b":2}}"# },
      measure("a move") { #"{"op":"move","key":"w\#($0)","parent":"\#(parent())"}"# },
      measure("a removal") { #"{"op":"remove","key":"w\#($0)"}"# },
      measure("a toggle") { _ in #"{"op":"toggle","key":"\#(parent())"}"# },
      measure("another toggle") { _ in #"{"op":"toggle","key":"\#(parent())"}"# },
      measure("a selection") { _ in #"{"op":"select","key":"\#(parent())"}"# },
    ]
  }

  /// Measures the operations on a subtree, per node.
  private static func subtrees(
    of tree: StoredTree,
    _ session: SessionID
  ) -> [Measurement] {
    let depths = Shape.tenfold.depths(count: tree.size)
    let tops = depths.indices.filter { depths[$0] == 1 }
    // The second child of the root, with about a tenth of all.
    let part = StoredTree.key(tops[1])
    func measure(_ label: String, _ operations: String, _ count: Int? = nil) -> Measurement {
      Measurement(
        "weight of \(label), a node",
        size: tree.size,
        rounds: 1,
        operations: count ?? tops[2] - tops[1]
      ) { UInt64(tree.apply(operations, to: session) + 1) }
    }
    let up = #"{"op":"move","key":"\#(part)","parent":null}"#
    let down = #"{"op":"move","key":"\#(part)","parent":"n0"}"#
    let noise = #"{"op":"update","key":"n1","object":1}"#
    return [
      measure("collapse, all levels", #"{"op":"collapse","key":"\#(part)","levels":"all"}"#),
      measure("expand, all levels", #"{"op":"expand","key":"\#(part)","levels":"all"}"#),
      measure("collapse", #"{"op":"collapse","key":"\#(part)"}"#),
      measure("expand among others", #"{"op":"expand","key":"\#(part)"},\#(noise)"#),
      measure("move", up),
      measure("move among others", "\(down),\(noise)"),
      measure("select subtree", #"{"op":"select","subtree":"\#(part)"}"#),
      measure("clear selection", #"{"op":"clearSelection"}"#),
      measure("sort everywhere", #"{"op":"sort","by":[{"by":"/size"}]}"#, tree.size),
      measure("removal", #"{"op":"remove","key":"\#(part)"}"#),
      measure("removal of all", #"{"op":"setChildren","key":null,"children":[]}"#, tree.size),
    ]
  }
}

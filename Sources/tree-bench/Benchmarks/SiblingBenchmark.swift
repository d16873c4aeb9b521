import TreeDomain

/// Many siblings: sorting by a member of their objects, and replacement by another version.
///
/// The versions differ in 1 % of the nodes. The change lists are included.
enum SiblingBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "siblings", smallSize: 1_000, largeSize: 100_000) { size in
      let tree = StoredTree(.star, count: size + 1)
      let session = tree.open()
      return [
        measureSort("sort by a number", of: tree, session, #""by":"/size""#),
        measureSort("sort by a text", of: tree, session, #""by":"/title","compare":"natural""#),
        measureDiff(of: tree, session),
      ]
    }
  }

  private static func measureSort(
    _ label: String,
    of tree: StoredTree,
    _ session: SessionID,
    _ order: String
  ) -> Measurement {
    Measurement(label, size: tree.size, rounds: 1, operations: 1) {
      UInt64(tree.apply(#"{"op":"sort","key":"n0","by":[{\#(order)}]}"#, to: session))
    }
  }

  /// Measures the replacement of all siblings by another version.
  ///
  /// Another object is in 0.5 % of the nodes; 0.25 % each are moved, removed and inserted.
  private static func measureDiff(of tree: StoredTree, _ session: SessionID) -> Measurement {
    var numbers = Array(1..<tree.size)
    var next = tree.size
    var versions: [String] = []
    var random = SplitMix(seed: 9)
    for version in 0..<4 {
      var changed: Set<Int> = []
      for _ in 0..<(tree.size / 400) {
        changed.insert(numbers[random.below(numbers.count)])
        changed.insert(numbers[random.below(numbers.count)])
        numbers.insert(
          numbers.remove(at: random.below(numbers.count)),
          at: random.below(tree.size / 2)
        )
        numbers.remove(at: random.below(numbers.count))
        numbers.insert(next, at: random.below(numbers.count))
        next += 1
      }
      let nodes = numbers.map { number in
        let object = StoredTree.object(number, size: changed.contains(number) ? version : 0)
        return #"{"key":"\#(StoredTree.key(number))","object":\#(object)}"#
      }
      versions.append(
        #"{"op":"setChildren","key":"n0","children":[\#(nodes.joined(separator: ","))]}"#
      )
    }
    tree.apply(versions[0], to: session)
    var rest = versions[1...]
    return Measurement("setChildren, 1 % changed", size: tree.size, rounds: 3, operations: 1) {
      UInt64(tree.apply(rest.removeFirst(), to: session))
    }
  }
}

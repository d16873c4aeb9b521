import TreeEngine

/// Edits of leaves and of subtrees, in the engine alone.
enum EditBenchmarks {
  /// Insertions, moves and removals of leaves at random places, a thousand in a transaction.
  static var leafEdits: Benchmark {
    Benchmark(name: "leaf-edits", smallSize: 1_000, largeSize: 1_000_000) { size in
      var sample = SampleTree(.tenfold, count: size)
      return measureEdits(&sample, transactions: size < 10_000 ? 1 : 10, operations: 1_000, "")
    }
  }

  /// The same as ``leafEdits``, each in its own transaction.
  static var singleEdits: Benchmark {
    Benchmark(name: "single-edits", smallSize: 1_000, largeSize: 1_000_000) { size in
      var sample = SampleTree(.tenfold, count: size)
      let transactions = size < 10_000 ? 100 : 10_000
      return measureEdits(&sample, transactions: transactions, operations: 1, ", alone")
    }
  }

  /// Measures transactions of insertions, then of moves, and then of removals of leaves.
  static func measureEdits(
    _ sample: inout SampleTree,
    transactions: Int,
    operations: Int,
    _ label: String
  ) -> [Measurement] {
    let size = sample.nodes.count
    var random = SplitMix(seed: 5)
    let total = transactions * operations
    let leaves = (0..<total).map { _ in sample.makeLeaf() }
    let parents = (0..<(2 * total)).map { _ in sample.randomParent(&random) }
    var nodes: [NodeID] = []
    func measure(_ what: String, _ edit: (inout SampleTree, Int) -> Void) -> Measurement {
      Measurement(what + " a leaf" + label, size: size, rounds: 1, operations: total) {
        sample.inTransactions(transactions, of: operations, edit)
      }
    }
    return [
      measure("insert") { sample, number in
        let parent = parents[number]
        let index = random.below(sample.tree.childCount(of: parent) + 1)
        nodes.append(sample.insert(leaves[number], under: parent, at: index))
      },
      measure("move") { sample, number in
        let parent = parents[total + number]
        let index = random.below(sample.tree.childCount(of: parent))
        sample.move(nodes[number], under: parent, at: index)
      },
      measure("remove") { sample, number in
        uncounted { count throws(Interruption) in
          try sample.tree.remove(nodes[number], counting: count)
        }
      },
    ]
  }

  /// Moves of a tenth of the rows in one piece.
  static var subtreeMoves: Benchmark {
    Benchmark(name: "subtree-moves", smallSize: 1_000, largeSize: 1_000_000) { size in
      var sample = SampleTree(.tenfold, count: size)
      let top = sample.nodes[0]
      let operations = size < 10_000 ? 10 : 100
      return [
        Measurement("move a tenth of the rows", size: size, operations: operations) {
          sample.inTransactions(operations, of: 1, listLimit: 0) { sample, number in
            sample.move(sample.tree.child(0, of: top), under: top, at: 1 + number % 9)
          }
        }
      ]
    }
  }
}

extension SampleTree {
  /// Runs transactions of `edits` edits each, and reads each one's change list.
  ///
  /// - Returns: A checksum of the change lists.
  mutating func inTransactions(
    _ transactions: Int,
    of edits: Int,
    listLimit: Int = .max,
    _ edit: (inout SampleTree, _ number: Int) -> Void
  ) -> UInt64 {
    var checksum: UInt64 = 0
    for transaction in 0..<transactions {
      tree.begin(listLimit: listLimit)
      for number in 0..<edits { edit(&self, transaction * edits + number) }
      updateRows()
      let list = uncounted { count throws(Interruption) in
        try tree.changes(of: view, counting: count)
      }
      for entry in list.placements { checksum = checksum &* 31 &+ UInt64(entry.newIndex) }
      for entry in list.deletions { checksum = checksum &* 31 &+ UInt64(entry.index) }
      for entry in list.updates { checksum = checksum &* 31 &+ UInt64(entry.newIndex) }
      tree.commit()
    }
    return checksum
  }
}

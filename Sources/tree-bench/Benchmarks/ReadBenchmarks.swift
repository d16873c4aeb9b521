import TreeEngine

/// Reads of a client that changes nothing, in the engine alone.
enum ReadBenchmarks {
  /// Pages, nodes of rows and rows of nodes, in a view without toggled nodes.
  static var reads: Benchmark {
    Benchmark(name: "reads", smallSize: 1_000, largeSize: 1_000_000) { size in
      measureReads(SampleTree(.tenfold, count: size), "")
    }
  }

  /// The same as ``reads``, in a view with a thousand toggled nodes.
  static var toggledReads: Benchmark {
    Benchmark(name: "toggled-reads", smallSize: 1_000, largeSize: 1_000_000) { size in
      var sample = SampleTree(.tenfold, count: size)
      var random = SplitMix(seed: 1)
      sample.toggle(min(1_000, size / 20), &random)
      return measureReads(sample, ", 1000 toggled")
    }
  }

  /// Measures the requests of a client that changes nothing.
  static func measureReads(_ sample: borrowing SampleTree, _ label: String) -> [Measurement] {
    let count = sample.tree.nodeCount
    let operations = min(count, 20_000)
    return [
      measurePages(sample, operations: max(1, operations / 20), label),
      measureNodes(sample, operations: operations, label),
      measureIndexes(sample, operations: operations, label),
    ]
  }

  static func measurePages(
    _ sample: borrowing SampleTree,
    operations: Int,
    _ label: String
  ) -> Measurement {
    var random = SplitMix(seed: 2)
    let rows = sample.tree.rowCount(of: sample.view)
    return Measurement(
      "page of 100 rows" + label,
      size: sample.tree.nodeCount,
      operations: operations
    ) {
      var checksum: UInt64 = 0
      for _ in 0..<operations {
        let start = random.below(max(1, rows - 100))
        for row in sample.tree.rows(from: start, limit: 100, in: sample.view) {
          let shape = row.depth &+ row.position &+ row.siblingCount
          let below = (row.childCount ?? 0) &+ row.visibleDescendantCount
          checksum = checksum &* 31 &+ UInt64(shape &+ below)
        }
      }
      return checksum
    }
  }

  private static func measureNodes(
    _ sample: borrowing SampleTree,
    operations: Int,
    _ label: String
  ) -> Measurement {
    var random = SplitMix(seed: 3)
    let rows = sample.tree.rowCount(of: sample.view)
    return Measurement("row to node" + label, size: sample.tree.nodeCount, operations: operations) {
      var checksum: UInt64 = 0
      for _ in 0..<operations {
        let node = sample.tree.node(atRow: random.below(rows), in: sample.view)
        checksum = checksum &* 31 &+ UInt64(node.index)
      }
      return checksum
    }
  }

  private static func measureIndexes(
    _ sample: borrowing SampleTree,
    operations: Int,
    _ label: String
  ) -> Measurement {
    var random = SplitMix(seed: 4)
    let nodes = sample.nodes
    return Measurement("node to row" + label, size: sample.tree.nodeCount, operations: operations) {
      var checksum: UInt64 = 0
      for _ in 0..<operations {
        let row = sample.tree.rowIndex(of: nodes[random.below(nodes.count)], in: sample.view)
        checksum = checksum &* 31 &+ UInt64(row ?? 0)
      }
      return checksum
    }
  }
}

import TreeEngine

/// The growth of the cost of each operation when the tree grows tenfold, for each shape.
///
/// The sizes range from ten thousand nodes to the requested one. Each figure is followed by its
/// factor, and by that of the logarithm of the size. A higher factor than that of the logarithm
/// shows the cost of cache misses.
enum CurveBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "curve", smallSize: 1_000, largeSize: 10_000_000) { size in
      Shape.allCases.flatMap { shape in
        let largest = shape == .chain ? min(size, 100_000) : size
        var sizes = Array(sequence(first: 10_000) { $0 * 10 }.prefix { $0 < largest })
        sizes.append(largest)
        let steps = sizes.map { measureAll(shape, size: $0) }
        return (steps.first ?? [])
          + zip(steps, steps.dropFirst()).flatMap { grown(from: $0, to: $1) }
      }
    }
  }

  /// Returns measurements with their growth since those of a smaller tree.
  private static func grown(from former: [Measurement], to now: [Measurement]) -> [Measurement] {
    zip(former, now).map { former, now in
      var now = now
      now.growth = Measurement.Growth(from: former, to: now)
      return now
    }
  }

  private static func measureAll(_ shape: Shape, size: Int) -> [Measurement] {
    var sample = SampleTree(shape, count: size)
    let label = ", \(shape.rawValue)"
    let reads = ReadBenchmarks.measureReads(sample, label)
    let transactions = size < 10_000 ? 1 : 10
    let edits = EditBenchmarks.measureEdits(
      &sample,
      transactions: transactions,
      operations: 1_000,
      label
    )
    return reads + edits + [measureToggles(&sample, operations: size < 10_000 ? 10 : 1_000, label)]
  }

  /// Measures toggles of random nodes with children, with lists of ranges.
  private static func measureToggles(
    _ sample: inout SampleTree,
    operations: Int,
    _ label: String
  ) -> Measurement {
    var random = SplitMix(seed: 14)
    var node = sample.nodes[0]
    return Measurement("toggle a node" + label, size: sample.nodes.count, operations: operations) {
      sample.inTransactions(operations, of: 1, listLimit: 0) { sample, number in
        if number % 2 == 0 {
          node = sample.randomParent(&random)
          sample.tree.collapse(node, in: sample.view)
        } else {
          sample.tree.expand(node, in: sample.view)
        }
      }
    }
  }
}

import TreeEngine

extension Benchmark {
  /// Reads and leaf insertions on every shape, from ten thousand nodes up to the size asked for.
  ///
  /// The curve should rise no faster than log *n* and the cache misses.
  static var shapes: [Benchmark] {
    Shape.allCases.map { shape in
      let largest = shape == .chain ? 100_000 : 1_000_000
      return Benchmark(name: shape.rawValue, smallSize: 1_000, largeSize: largest) { size in
        var sizes = Array(sequence(first: 10_000) { $0 * 10 }.prefix { $0 < size })
        sizes.append(size)
        return sizes.flatMap { measure(shape, size: $0) }
      }
    }
  }

  private static func measure(_ shape: Shape, size: Int) -> [Measurement] {
    var sample = SampleTree(shape, count: size)
    var random = SplitMix(seed: 6)
    let reads = measureReads(sample, ", \(shape.rawValue)")
    let leaves = (0..<1_000).map { _ in sample.makeLeaf() }
    return reads + [
      Measurement(
        "insert a leaf, \(shape.rawValue)",
        size: size,
        rounds: 1,
        operations: leaves.count
      ) {
        sample.inTransactions(1, of: leaves.count) { sample, number in
          let parent = sample.randomParent(&random)
          let index = random.below(sample.tree.childCount(of: parent) + 1)
          sample.insert(leaves[number], under: parent, at: index)
        }
      }
    ]
  }
}

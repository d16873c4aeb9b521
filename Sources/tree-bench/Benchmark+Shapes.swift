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
    let edits = min(size, 1_000)
    let reads = measureReads(sample, ", \(shape.rawValue)")
    return reads + [
      Measurement("insert a leaf, \(shape.rawValue)", size: size, operations: edits) {
        sample.inTransactions(1, of: edits) { sample, _ in _ = sample.insertLeaf(&random) }
      }
    ]
  }
}

import TreeEngine

/// Single insertions of leaves when no structure has unused capacity.
///
/// This is so after a load, after a compaction, and while a snapshot shares the tree's memory.
enum PauseBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "pauses", smallSize: 1_000, largeSize: 1_000_000) { size in
      var sample = SampleTree(.tenfold, count: size)
      let loaded = sample.measureInsertions("after a load")
      sample.compact()
      let compacted = sample.measureInsertions("after a compaction")
      let snapshot = sample.tree.snapshot()
      let beside = sample.measureInsertions("beside a snapshot")
      withExtendedLifetime(snapshot) {}
      return loaded + compacted + beside
    }
  }
}

extension SampleTree {
  /// Measures insertions at random places: the median, the 99th percentile and the maximum.
  fileprivate mutating func measureInsertions(_ label: String) -> [Measurement] {
    let clock = ContinuousClock()
    var random = SplitMix(seed: 9)
    var checksum: UInt64 = 0
    var times: [Duration] = []
    for _ in 0..<200 {
      let (leaf, parent) = (makeLeaf(), randomParent(&random))
      let start = clock.now
      let told = inTransactions(1, of: 1) { sample, _ in
        sample.insert(leaf, under: parent, at: 0)
      }
      times.append(clock.now - start)
      checksum = checksum &* 31 &+ told
    }
    let size = nodes.count
    return Measurement.percentiles("insertion \(label)", times, size: size, checksum: checksum)
  }
}

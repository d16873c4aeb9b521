import TreeEngine

/// Insertion of a leaf that is a row in many views, with and without history.
///
/// Reading all that one view missed is measured as well.
enum WatcherBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "watchers", smallSize: 1_000, largeSize: 100_000) { size in
      let views = size < 10_000 ? 10 : 1_000
      return measureWatched(size: size, views: views, .none, "without history")
        + measureWatched(size: size, views: views, HistoryLimits(), "with history")
    }
  }

  private static func measureWatched(
    size: Int,
    views: Int,
    _ limits: HistoryLimits,
    _ label: String
  ) -> [Measurement] {
    var sample = SampleTree(.tenfold, count: size, history: limits)
    for _ in 1..<views { _ = sample.tree.addView(rule: .all) }
    var random = SplitMix(seed: 7)
    let operations = 100
    let insertion = Measurement(
      "insert, \(views) views \(label)",
      size: size,
      operations: operations
    ) {
      sample.inTransactions(operations, of: 1) { sample, _ in
        let parent = sample.randomParent(&random)
        sample.insert(sample.makeLeaf(), under: parent, at: 0)
      }
    }
    guard limits != .none else { return [insertion] }
    let since = max(sample.tree.commitNumber - 200, sample.tree.oldestCommit(of: sample.view))
    let catchingUp = Measurement("changes since 200 commits", size: size, operations: 100) {
      (0..<100).reduce(0) { checksum, _ in
        let list = uncounted { count throws(Interruption) in
          try sample.tree.changes(of: sample.view, since: since, counting: count)
        }
        return checksum &* 31 &+ UInt64(list.rowEntryCount)
      }
    }
    return [insertion, catchingUp]
  }
}

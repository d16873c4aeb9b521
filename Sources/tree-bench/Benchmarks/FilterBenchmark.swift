import TreeEngine

/// A filtered view: its memory, setting the filter, pages, toggles, and nodes whose match
/// changes.
///
/// The filter matches 1 % of the nodes, 10 %, or all of them.
enum FilterBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "filter", smallSize: 1_000, largeSize: 1_000_000) { size in
      // Memory comes first: later, what was freed would be used again and not counted.
      [measureFilterMemory(size: size)]
        + measureFilter(size: size, zeros: 2, ", 1 %")
        + measureFilter(size: size, zeros: 1, ", 10 %")
        + measureFilter(size: size, zeros: 0, ", 100 %")
    }
  }

  private static func measureFilter(size: Int, zeros: Int, _ label: String) -> [Measurement] {
    var sample = SampleTree(.tenfold, count: size)
    sample.zerosMatched = zeros
    let setting = Measurement("set a filter" + label, size: size, rounds: 3, operations: 1) {
      sample.setFilter(false)
      return sample.setFilter(true)
    }
    let operations = size < 10_000 ? 10 : 1_000
    return [
      setting,
      ReadBenchmarks.measurePages(sample, operations: operations, ", filtered" + label),
      measureToggling(&sample, operations: operations, label),
      measureMatching(&sample, operations: operations, label),
    ]
  }

  private static func measureFilterMemory(size: Int) -> Measurement {
    var sample = SampleTree(.tenfold, count: size)
    let before = residentBytes()
    let rows = sample.setFilter(true)
    return Measurement(
      label: "memory of a filtered row",
      size: size,
      value: Double(residentBytes() - before) / Double(rows),
      unit: .bytes,
      checksum: rows
    )
  }

  private static func measureToggling(
    _ sample: inout SampleTree,
    operations: Int,
    _ label: String
  ) -> Measurement {
    var random = SplitMix(seed: 8)
    var node = sample.nodes[0]
    return Measurement(
      "toggle a filtered row" + label,
      size: sample.nodes.count,
      operations: operations
    ) {
      sample.inTransactions(operations, of: 1) { sample, number in
        if number % 2 == 0 {
          let row = 1 + random.below(sample.tree.rowCount(of: sample.view) - 1)
          node = sample.tree.parent(of: sample.tree.node(atRow: row, in: sample.view))
          sample.tree.collapse(node, in: sample.view)
        } else {
          sample.tree.expand(node, in: sample.view)
        }
      }
    }
  }

  private static func measureMatching(
    _ sample: inout SampleTree,
    operations: Int,
    _ label: String
  ) -> Measurement {
    var random = SplitMix(seed: 9)
    var node = sample.nodes[0]
    return Measurement(
      "match a node or not" + label,
      size: sample.nodes.count,
      operations: operations
    ) {
      sample.inTransactions(operations, of: 1) { sample, number in
        if number % 2 == 0 { node = sample.nodes[random.below(sample.nodes.count)] }
        sample.tree.update(node, object: Array((number % 2 == 0 ? "true" : "false").utf8).span)
      }
    }
  }
}

extension SampleTree {
  /// Sets or removes a filter of the view.
  ///
  /// - Returns: The number of rows afterwards.
  @discardableResult
  mutating func setFilter(_ isOn: Bool) -> UInt64 {
    tree.begin()
    uncounted { count throws(Interruption) in
      try tree.setFilter(isOn, in: view, counting: count)
    }
    updateRows()
    tree.commit()
    return UInt64(tree.rowCount(of: view))
  }

  /// Updates the rows of the filtered view.
  ///
  /// A node matches if its key ends with ``zerosMatched`` zeros, or its object is `true`.
  mutating func updateRows() {
    let zeros = zerosMatched
    uncounted { count throws(Interruption) in
      try tree.updateRows(view, counting: count) { tree, node in
        if tree.key(of: node).suffix(zeros).allSatisfy({ $0 == UInt8(ascii: "0") }) { return true }
        return tree.object(of: node).elementsEqual("true".utf8)
      }
    }
  }
}

import TreeEngine

/// Collapsing and expanding many rows.
enum ExpansionBenchmarks {
  /// Collapsing and expanding the only root, which hides and shows all other rows.
  static var expansion: Benchmark {
    Benchmark(name: "expansion", smallSize: 1_000, largeSize: 1_000_000) { size in
      [
        measureExpansion(size: size, .none, ""),
        measureExpansion(size: size, HistoryLimits(), ", with history"),
      ]
    }
  }

  private static func measureExpansion(
    size: Int,
    _ limits: HistoryLimits,
    _ label: String
  ) -> Measurement {
    var sample = SampleTree(.tenfold, count: size, history: limits)
    let operations = size < 10_000 ? 10 : 1_000
    let top = sample.nodes[0]
    return Measurement("collapse or expand all" + label, size: size, operations: operations) {
      sample.inTransactions(operations, of: 1, listLimit: 0) { sample, number in
        if number % 2 == 0 {
          sample.tree.collapse(top, in: sample.view)
        } else {
          sample.tree.expand(top, in: sample.view)
        }
      }
    }
  }

  /// Expanding and collapsing everything by rule.
  static var rules: Benchmark {
    Benchmark(name: "rules", smallSize: 1_000, largeSize: 1_000_000) { size in
      var sample = SampleTree(.tenfold, count: size)
      let operations = size < 10_000 ? 10 : 1_000
      return [
        Measurement("collapseAll or expandAll", size: size, operations: operations) {
          sample.inTransactions(operations, of: 1, listLimit: 0) { sample, number in
            uncounted { count throws(Interruption) in
              let rule = number % 2 == 0 ? ExpansionRule.none : .all
              try sample.tree.setRule(rule, in: sample.view, counting: count)
            }
          }
        }
      ]
    }
  }
}

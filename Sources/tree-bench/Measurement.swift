import Glibc

/// One figure of a benchmark.
struct Measurement {
  /// What a figure counts.
  enum Unit: String {
    case nanoseconds = "ns"
    case bytes = "B"
    /// How many times another figure it is.
    case ratio = "×"
  }

  /// What was measured.
  var label: String
  /// Nodes in the tree.
  var size: Int
  /// The figure, for one operation or node.
  var value: Double
  /// What the figure counts.
  var unit = Unit.nanoseconds
  /// How it compares with the same in a smaller tree.
  var growth: Growth?
  /// Something computed from every answer, so that none can be left out; equal in equal runs.
  var checksum: UInt64

  /// The figure for people: `label  size  value unit  checksum`.
  var line: String {
    // A ratio may well be below one.
    let scale = value < 10 && unit == .ratio ? 100.0 : 10
    let shown =
      value < 100 ? "\((value * scale).rounded() / scale)" : "\(Int(value.rounded()))"
    return Self.pad(label, to: 42) + Self.pad("\(size)", to: 10)
      + Self.pad("\(shown) \(unit.rawValue)", to: 16)
      + String(checksum, radix: 16) + (growth.map { "  " + $0.text } ?? "")
  }

  /// What becomes of a figure when the tree grows.
  struct Growth {
    /// How many times the former figure the figure is.
    var factor: Double
    /// How many times the logarithm of the former size that of the size is.
    var logarithmFactor: Double

    init(from former: Measurement, to now: Measurement) {
      factor = now.value / former.value
      logarithmFactor = log2(Double(now.size)) / log2(Double(former.size))
    }

    var text: String { "× \(Self.shown(factor)) (log n: × \(Self.shown(logarithmFactor)))" }

    private static func shown(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
  }

  private static func pad(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}

extension Measurement {
  /// Times rounds of operations and takes the median round.
  ///
  /// - Parameters:
  ///   - label: what is measured.
  ///   - size: nodes in the tree.
  ///   - rounds: how often to measure.
  ///   - operations: operations in a round.
  ///   - round: does them and answers a checksum of what they gave.
  init(
    _ label: String,
    size: Int,
    rounds: Int = 5,
    operations: Int,
    _ round: () -> UInt64
  ) {
    let clock = ContinuousClock()
    var checksum: UInt64 = 0
    var times: [Double] = []
    for _ in 0..<rounds {
      let time = clock.measure { checksum = checksum &* 31 &+ round() }
      times.append(time / .nanoseconds(1))
    }
    self.init(
      label: label,
      size: size,
      value: times.sorted()[rounds / 2] / Double(operations),
      checksum: checksum
    )
  }
}

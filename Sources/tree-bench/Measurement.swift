import Glibc

/// A figure of a benchmark.
struct Measurement {
  /// The unit of a figure.
  enum Unit: String {
    case nanoseconds = "ns"
    case bytes = "B"
    /// The factor between two figures.
    case ratio = "×"
  }

  /// The name of the measured work.
  var label: String
  /// The number of nodes in the tree.
  var size: Int
  /// The figure, per operation or node.
  var value: Double
  /// The unit of the figure.
  var unit = Unit.nanoseconds
  /// The growth since the measurement of a smaller tree.
  var growth: Growth?
  /// A checksum of all answers, so that the compiler cannot omit them; equal in equal runs.
  var checksum: UInt64

  /// The printed form: `label  size  value unit  checksum`.
  var line: String {
    // A ratio may well be below one.
    let scale = value < 10 && unit == .ratio ? 100.0 : 10
    let shown =
      value < 100 ? "\((value * scale).rounded() / scale)" : "\(Int(value.rounded()))"
    return Self.pad(label, to: 42) + Self.pad("\(size)", to: 10)
      + Self.pad("\(shown) \(unit.rawValue)", to: 16)
      + String(checksum, radix: 16) + (growth.map { "  " + $0.text } ?? "")
  }

  /// The growth of a figure when the tree grows.
  struct Growth {
    /// The new figure divided by the former one.
    var factor: Double
    /// The logarithm of the new size divided by that of the former one.
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
  /// Times rounds of operations, and keeps the median round.
  ///
  /// - Parameters:
  ///   - label: The name of the measured work.
  ///   - size: The number of nodes in the tree.
  ///   - rounds: The number of rounds.
  ///   - operations: The number of operations in a round.
  ///   - round: Performs a round, and returns a checksum of its results.
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

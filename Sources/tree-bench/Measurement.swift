/// One figure of a benchmark.
struct Measurement {
  /// What a figure counts.
  enum Unit: String {
    case nanoseconds = "ns"
    case bytes = "B"
  }

  /// What was measured.
  var label: String
  /// Nodes in the tree.
  var size: Int
  /// The figure, for one operation or node.
  var value: Double
  /// What the figure counts.
  var unit = Unit.nanoseconds
  /// Something computed from every answer, so that none can be left out; equal in equal runs.
  var checksum: UInt64

  /// The figure for people: `label  size  value unit  checksum`.
  var line: String {
    let shown = value < 100 ? "\((value * 10).rounded() / 10)" : "\(Int(value.rounded()))"
    return Self.pad(label, to: 34) + Self.pad("\(size)", to: 10)
      + Self.pad("\(shown) \(unit.rawValue)", to: 16)
      + String(checksum, radix: 16)
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

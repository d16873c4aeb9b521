extension Measurement {
  /// Times each of many operations by itself, after a tenth as many that are not counted.
  ///
  /// - Parameters:
  ///   - label: what is measured.
  ///   - size: nodes in the tree.
  ///   - operations: how often to measure.
  ///   - operation: does it and answers a checksum of what it gave.
  /// - Returns: the mean, the median and the time that one in a hundred exceeds.
  static func latencies(
    _ label: String,
    size: Int,
    operations: Int,
    _ operation: () -> UInt64
  ) -> [Measurement] {
    let clock = ContinuousClock()
    var checksum: UInt64 = 0
    for _ in 0..<(operations / 10) { checksum = checksum &* 31 &+ operation() }
    var times: [Duration] = []
    times.reserveCapacity(operations)
    for _ in 0..<operations {
      times.append(clock.measure { checksum = checksum &* 31 &+ operation() })
    }
    times.sort()
    let figures = [
      ("mean", times.reduce(.zero, +) / operations),
      ("p50", times[operations / 2]),
      ("p99", times[operations * 99 / 100]),
    ]
    return figures.map { name, time in
      Measurement(
        label: "\(label), \(name)",
        size: size,
        value: time / .nanoseconds(1),
        checksum: checksum
      )
    }
  }

  /// Sums up how long each of many operations took.
  ///
  /// - Parameters:
  ///   - label: what was measured.
  ///   - times: at least one, in any order.
  ///   - size: nodes in the tree.
  ///   - checksum: something computed from the answers.
  /// - Returns: the median, the time that one in a hundred exceeds, and the longest.
  static func percentiles(
    _ label: String,
    _ times: [Duration],
    size: Int,
    checksum: UInt64
  ) -> [Measurement] {
    let times = times.sorted()
    let places = [
      ("p50", times.count / 2), ("p99", times.count * 99 / 100), ("longest", times.count - 1),
    ]
    return places.map { name, place in
      Measurement(
        label: "\(label), \(name)",
        size: size,
        value: times[place] / .nanoseconds(1),
        checksum: checksum
      )
    }
  }
}

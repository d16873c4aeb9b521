extension Measurement {
  /// Times each of many operations, after a tenth as many that are not timed.
  ///
  /// - Parameters:
  ///   - label: The name of the measured work.
  ///   - size: The number of nodes in the tree.
  ///   - operations: The number of timed operations.
  ///   - operation: Performs an operation, and returns a checksum of its result.
  /// - Returns: The mean, the median and the 99th percentile.
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

  /// Summarises the durations of operations.
  ///
  /// - Parameters:
  ///   - label: The name of the measured work.
  ///   - times: The durations in any order, at least one.
  ///   - size: The number of nodes in the tree.
  ///   - checksum: A checksum of the results.
  /// - Returns: The median, the 99th percentile and the maximum.
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

import TreeDomain

/// The clock for idle times, in seconds.
///
/// It never goes back, and continues across processes.
///
/// While a process runs, time is measured with a monotonic clock, so setting the wall clock expires
/// no sessions. Downtime is measured with the wall clock. If that moved back, downtime counts as
/// zero.
struct ServiceClock: Sendable {
  private let elapsed: @Sendable () -> Int
  private let wall: (@Sendable () -> Int)?
  private let offset: Int

  /// Makes a clock that continues after a stored reading.
  ///
  /// - Parameters:
  ///   - elapsed: Returns seconds since any fixed time; it never goes back.
  ///   - wall: Returns seconds since 1970. Without a wall clock, `elapsed` must itself continue
  ///     across processes.
  ///   - last: The last stored reading; `nil` if there is none.
  ///   - newest: The latest stored time of any event. It may be one second later than `last`,
  ///     because the two clocks do not tick together.
  init(
    _ elapsed: @escaping @Sendable () -> Int,
    wall: (@Sendable () -> Int)?,
    after last: ClockReading?,
    notBefore newest: Int? = nil
  ) {
    self.elapsed = elapsed
    self.wall = wall
    guard let now = wall?() else {
      offset = 0
      return
    }
    let start = last.map { $0.seconds + max(now - $0.wallSeconds, 0) } ?? now
    offset = max(start, newest ?? start) - elapsed()
  }

  /// The current time in seconds.
  var seconds: Int { offset + elapsed() }

  /// The readings of this clock and the wall clock; `nil` without a wall clock.
  var reading: ClockReading? {
    wall.map { ClockReading(seconds: seconds, wallSeconds: $0()) }
  }
}

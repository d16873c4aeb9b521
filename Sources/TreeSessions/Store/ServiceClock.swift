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
  ///   - maxDowntime: The greatest downtime in seconds that can have passed since the last reading;
  ///     nil if it is not known. The wall clock may be another one, or may have jumped.
  init(
    _ elapsed: @escaping @Sendable () -> Int,
    wall: (@Sendable () -> Int)?,
    after last: ClockReading?,
    notBefore newest: Int? = nil,
    maxDowntime: Int? = nil
  ) {
    self.elapsed = elapsed
    self.wall = wall
    guard let now = wall?() else {
      offset = 0
      return
    }
    let start = last.map { last in
      last.seconds + min(max(now - last.wallSeconds, 0), maxDowntime ?? .max)
    }
    offset = max(start ?? now, newest ?? .min) - elapsed()
  }

  /// The current time in seconds.
  var seconds: Int { offset + elapsed() }

  /// The readings of this clock and the wall clock; `nil` without a wall clock.
  var reading: ClockReading? {
    wall.map { ClockReading(seconds: seconds, wallSeconds: $0()) }
  }
}

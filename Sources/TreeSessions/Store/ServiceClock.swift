import TreeDomain

/// The time that sessions are kept by, in seconds: it never goes back, and goes on from process to
/// process.
///
/// While one runs, a clock tells it that nobody sets. How long none ran, the wall clock tells: by
/// how much it went on since it was last noted beside that time. So where it is set while a process
/// runs, no session has lain idle for that.
struct ServiceClock: Sendable {
  private let elapsed: @Sendable () -> Int
  private let wall: (@Sendable () -> Int)?
  private let offset: Int

  /// Goes on.
  ///
  /// - Parameters:
  ///   - elapsed: Seconds from any fixed moment on, if there is a wall clock; it never goes back.
  ///   - wall: Seconds since 1970, as whoever sets it says; without one the other clock goes on
  ///     from process to process by itself.
  ///   - last: What was noted last; `nil` for nothing.
  ///   - newest: The latest time that something is noted to have been done at. The clocks may not
  ///     have turned to the next second together, so that this may be ahead by one.
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

  /// The time.
  var seconds: Int { offset + elapsed() }

  /// What it and the wall clock show; `nil` without one.
  var reading: ClockReading? {
    wall.map { ClockReading(seconds: seconds, wallSeconds: $0()) }
  }
}

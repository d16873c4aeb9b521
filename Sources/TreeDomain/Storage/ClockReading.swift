/// A reading of two clocks at one moment: the monotonic clock of sessions and the wall clock.
///
/// The monotonic clock is never set. Only the wall clock can measure downtime.
public struct ClockReading: Equatable, Sendable {
  /// The monotonic time in seconds.
  public var seconds: Int
  /// The wall-clock time in seconds since 1970.
  public var wallSeconds: Int

  /// Makes a reading.
  public init(seconds: Int, wallSeconds: Int) {
    self.seconds = seconds
    self.wallSeconds = wallSeconds
  }

  /// The difference of the wall clock to the monotonic clock, in seconds.
  public var lead: Int { wallSeconds - seconds }
}

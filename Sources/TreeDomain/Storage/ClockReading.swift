/// A reading of two clocks at one moment: the monotonic clock of sessions and the wall clock.
///
/// The monotonic clock is never set. Only the wall clock can measure downtime.
package struct ClockReading: Equatable, Sendable {
  /// The monotonic time in seconds.
  package var seconds: Int
  /// The wall-clock time in seconds since 1970.
  package var wallSeconds: Int

  /// Makes a reading.
  package init(seconds: Int, wallSeconds: Int) {
    self.seconds = seconds
    self.wallSeconds = wallSeconds
  }

  /// The difference of the wall clock to the monotonic clock, in seconds.
  package var lead: Int { wallSeconds - seconds }
}

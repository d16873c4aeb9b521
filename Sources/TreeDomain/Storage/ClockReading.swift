/// What two clocks showed at one moment: the one that sessions are kept by, which nobody sets, and
/// the wall clock, which alone knows how long no process ran.
public struct ClockReading: Equatable, Sendable {
  /// What the first one showed, in seconds.
  public var seconds: Int
  /// What the wall clock showed, in seconds since 1970.
  public var wallSeconds: Int

  /// Notes what they showed.
  public init(seconds: Int, wallSeconds: Int) {
    self.seconds = seconds
    self.wallSeconds = wallSeconds
  }

  /// By how many seconds the wall clock was ahead.
  public var lead: Int { wallSeconds - seconds }
}

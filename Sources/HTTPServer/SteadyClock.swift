/// The time of day, which never goes back: read once, and from then on carried by a clock that
/// nobody sets.
public struct SteadyClock: Sendable {
  /// What the other clock lacks.
  private let offset = Syscalls.unixSeconds() - Syscalls.monotonicSeconds()

  /// Reads the time of day.
  public init() {}

  /// Seconds since 1970.
  public var seconds: Int { offset + Syscalls.monotonicSeconds() }
}

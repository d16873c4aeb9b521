/// The time of day, which never goes back: read once, and from then on carried by a clock that
/// nobody sets.
public struct SteadyClock: Sendable {
  private let startSeconds = Int(Syscalls.unixSeconds())
  private let start = Syscalls.monotonicMilliseconds()

  /// Reads the time of day.
  public init() {}

  /// Seconds since 1970.
  public var seconds: Int { startSeconds + (Syscalls.monotonicMilliseconds() - start) / 1_000 }
}

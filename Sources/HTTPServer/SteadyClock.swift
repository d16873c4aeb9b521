/// The time of day, which never goes back: read once, and from then on carried by a clock that
/// nobody sets.
///
/// That clock goes on while the machine is suspended, as time does for whoever comes back after it:
/// what is stored of uses would be too old otherwise for a process that reads the time of day anew.
public struct SteadyClock: Sendable {
  /// What the other clock lacks.
  private let offset = Syscalls.unixSeconds() - Syscalls.bootSeconds()

  /// Reads the time of day.
  public init() {}

  /// Seconds since 1970.
  public var seconds: Int { offset + Syscalls.bootSeconds() }
}

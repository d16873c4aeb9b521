/// The clocks of the system that count seconds.
public enum SystemClock {
  /// Seconds since the machine was started: it is set by nobody, and goes on while the machine is
  /// suspended, as time does for whoever comes back after it.
  public static var bootSeconds: Int { Syscalls.bootSeconds() }

  /// Milliseconds since the machine was started, by the same clock.
  public static var bootMilliseconds: Int { Syscalls.bootMilliseconds() }

  /// Seconds since 1970, as whoever sets it says.
  public static var wallSeconds: Int { Syscalls.unixSeconds() }

  /// Has the calling thread do nothing for so many milliseconds.
  public static func sleep(milliseconds: Int) { Syscalls.sleep(milliseconds: milliseconds) }
}

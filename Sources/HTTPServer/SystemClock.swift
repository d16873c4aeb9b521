/// The clocks of the system.
package enum SystemClock {
  /// The seconds since the machine was started, time in suspension included.
  ///
  /// It cannot be set.
  package static var bootSeconds: Int { Syscalls.bootSeconds() }

  /// The milliseconds since the machine was started, by the same clock.
  package static var bootMilliseconds: Int { Syscalls.bootMilliseconds() }

  /// The wall clock's seconds since 1970, which can be set.
  package static var wallSeconds: Int { Syscalls.unixSeconds() }

  /// The processor time that the calling thread has used, in nanoseconds.
  package static var threadNanoseconds: Int { Syscalls.threadNanoseconds() }

  /// Blocks the calling thread for some milliseconds.
  package static func sleep(milliseconds: Int) { Syscalls.sleep(milliseconds: milliseconds) }
}

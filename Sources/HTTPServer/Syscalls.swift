import CLinux
import Glibc

/// The system calls the server makes; with its extensions the only place where unsafe code is.
///
/// Each call is retried when a signal interrupts it (EINTR). What a peer or the system's limits can
/// cause is returned or thrown; an error that only a fault of ours can cause, such as EBADF, traps:
/// to go on with a wrong descriptor would harm another connection.
enum Syscalls {
  /// The result of reading or writing without waiting.
  enum Transfer: Equatable {
    /// So many bytes; 0 when reading is the end of the stream.
    case bytes(Int)
    case wouldBlock
    /// The connection is broken.
    case failed
  }

  /// Calls until no signal interrupts; returns the result and, if it is negative, `errno`.
  static func retrying<Result: SignedInteger>(
    _ call: () -> Result
  ) -> (result: Result, code: Int32) {
    while true {
      let result = call()
      guard result < 0 else { return (result, 0) }
      let code = errno
      if code != EINTR { return (result, code) }
    }
  }

  /// As `retrying`, for calls whose failure ends the setting up.
  static func checked(
    _ name: String,
    _ call: () -> Int32
  ) throws(SystemError) -> Int32 {
    let (result, code) = retrying(call)
    guard result >= 0 else { throw SystemError(call: name, code: code) }
    return result
  }

  /// What the system says about an error number.
  static func message(for code: Int32) -> String {
    unsafe String(cString: clinux_error_text(code))
  }

  /// Closes a descriptor.
  ///
  /// Not retried: Linux has let go of it even when close reports EINTR.
  static func close(_ descriptor: Int32) {
    let result = Glibc.close(descriptor)
    precondition(result == 0 || errno != EBADF, "a descriptor was closed twice")
  }

  /// Opens a descriptor that does nothing, to be given up when descriptors run out.
  static func openReserve() throws(SystemError) -> FileDescriptor {
    FileDescriptor(
      owning: try checked("open") { unsafe open("/dev/null", O_RDONLY | O_CLOEXEC) }
    )
  }

  /// Raises the number of descriptors the process may have to what is wanted, if the system lets
  /// it (RLIMIT_NOFILE, getrlimit(2)); never lowers it.
  ///
  /// - Returns: How many it may have now.
  static func allowDescriptors(_ wanted: Int) -> Int {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(resource, &limit) == 0 else { return wanted }
    if limit.rlim_cur < rlim_t(wanted) {
      var raised = limit
      raised.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
      if unsafe setrlimit(resource, &raised) == 0 { limit = raised }
    }
    return Int(clamping: limit.rlim_cur)
  }

  /// Milliseconds of the clock that never goes back.
  static func monotonicMilliseconds() -> Int { monotonicNanoseconds() / 1_000_000 }

  /// Nanoseconds of the clock that never goes back.
  static func monotonicNanoseconds() -> Int {
    let time = time(of: CLOCK_MONOTONIC)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// Seconds of the clock that never goes back, and goes on while the machine is suspended.
  static func bootSeconds() -> Int { time(of: CLOCK_BOOTTIME).tv_sec }

  /// Milliseconds of that clock.
  static func bootMilliseconds() -> Int {
    let time = time(of: CLOCK_BOOTTIME)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }

  /// Seconds of the wall clock since 1970, as of the last tick of the system's timer.
  static func unixSeconds() -> Int { max(time(of: CLOCK_REALTIME_COARSE).tv_sec, 0) }

  /// Milliseconds of the wall clock since 1970.
  static func unixMilliseconds() -> Int {
    let time = time(of: CLOCK_REALTIME)
    return max(time.tv_sec * 1_000 + time.tv_nsec / 1_000_000, 0)
  }

  private static func time(of clock: clockid_t) -> timespec {
    var time = timespec()
    let result = unsafe clock_gettime(clock, &time)
    precondition(result == 0, "the clocks of Linux can be read")
    return time
  }

  /// The number of processors this process may use.
  static func processorCount() -> Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }
}

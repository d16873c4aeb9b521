import CLinux
import Glibc

/// The system calls of the server.
///
/// Unsafe code occurs only here and in the extensions.
///
/// A call interrupted by a signal (EINTR) is repeated. Errors that a peer or a system limit can
/// cause are returned or thrown. Errors that only a bug can cause, such as EBADF, trap, because
/// using a wrong descriptor would harm another connection.
enum Syscalls {
  /// The result of reading or writing without blocking.
  enum Transfer: Equatable {
    /// The number of bytes; 0 from a read means the end of the stream.
    case bytes(Int)
    case wouldBlock
    /// The connection is broken.
    case failed
  }

  /// Repeats a call while it is interrupted; returns the result and, if it is negative, `errno`.
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

  /// Calls like ``retrying(_:)`` and throws if the call fails.
  static func checked(
    _ name: String,
    _ call: () -> Int32
  ) throws(SystemError) -> Int32 {
    let (result, code) = retrying(call)
    guard result >= 0 else { throw SystemError(call: name, code: code) }
    return result
  }

  /// Returns the system's text for an error number.
  static func message(for code: Int32) -> String {
    unsafe String(cString: clinux_error_text(code))
  }

  /// Closes a descriptor.
  ///
  /// It is not repeated, because Linux has released the descriptor even if close reports EINTR.
  static func close(_ descriptor: Int32) {
    let result = Glibc.close(descriptor)
    precondition(result == 0 || errno != EBADF, "a descriptor was closed twice")
  }

  /// Opens an unused descriptor, to be closed when descriptors run out.
  static func openReserve() throws(SystemError) -> FileDescriptor {
    FileDescriptor(
      owning: try checked("open") { unsafe open("/dev/null", O_RDONLY | O_CLOEXEC) }
    )
  }

  /// Raises the limit of open descriptors to a number, as far as the system allows (RLIMIT_NOFILE,
  /// getrlimit(2)).
  ///
  /// It is never lowered.
  ///
  /// - Returns: The new limit.
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

  /// Returns the milliseconds of the monotonic clock.
  static func monotonicMilliseconds() -> Int { monotonicNanoseconds() / 1_000_000 }

  /// Returns the nanoseconds of the monotonic clock.
  static func monotonicNanoseconds() -> Int {
    let time = time(of: CLOCK_MONOTONIC)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// Returns the seconds of the monotonic clock that includes time in suspension.
  static func bootSeconds() -> Int { time(of: CLOCK_BOOTTIME).tv_sec }

  /// Returns the milliseconds of the monotonic clock that includes time in suspension.
  static func bootMilliseconds() -> Int {
    let time = time(of: CLOCK_BOOTTIME)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }

  /// Returns the wall clock's seconds since 1970, as of the last tick of the kernel's timer.
  static func unixSeconds() -> Int { max(time(of: CLOCK_REALTIME_COARSE).tv_sec, 0) }

  /// Returns the wall clock's milliseconds since 1970.
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

  /// Returns the number of online processors, at least 1.
  static func processorCount() -> Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }
}

/// An open file descriptor, which is closed when its owner releases it.
struct FileDescriptor: ~Copyable, Sendable {
  let number: Int32

  /// Takes ownership of an open descriptor.
  init(owning number: Int32) { self.number = number }

  deinit { Syscalls.close(number) }
}

import Glibc

/// SIGTERM, SIGINT and SIGHUP, received as something to wait for instead of an interruption.
public struct TerminationSignals: ~Copyable, Sendable {
  /// What a signal asks for.
  public enum Request: Sendable {
    /// To stop: SIGTERM or SIGINT.
    case stop
    /// To open anew what may have been renamed: SIGHUP.
    case reopen
  }

  private let descriptor: FileDescriptor

  /// Takes the signals over for the whole process.
  ///
  /// To be made on the main thread before any other thread is started, as threads inherit that the
  /// signals are blocked. SIGPIPE and SIGXFSZ are ignored from then on as well.
  ///
  /// - Throws: A ``SystemError`` when the system has no descriptor left.
  public init() throws(SystemError) {
    let signals = [SIGTERM, SIGINT, SIGHUP]
    Syscalls.ignoreFailedWrites()
    Syscalls.block(signals)
    descriptor = try Syscalls.openSignals(signals)
  }

  /// Waits for one of the signals.
  ///
  /// - Parameter milliseconds: For how long; 0 or more.
  /// - Returns: What it asks for; nil if none has come.
  public func wait(milliseconds: Int) -> Request? {
    let number = Syscalls.readSignal(
      descriptor.number,
      withinMilliseconds: Int32(clamping: milliseconds)
    )
    return number.map { $0 == SIGHUP ? .reopen : .stop }
  }
}

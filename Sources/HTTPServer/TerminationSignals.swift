/// SIGTERM and SIGINT, received as something to wait for instead of an interruption.
public struct TerminationSignals: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// Takes the signals over for the whole process.
  ///
  /// To be made on the main thread before any other thread is started, as threads inherit that the
  /// signals are blocked. SIGPIPE and SIGXFSZ are ignored from then on as well.
  ///
  /// - Throws: A ``SystemError`` when the system has no descriptor left.
  public init() throws(SystemError) {
    Syscalls.ignoreFailedWrites()
    Syscalls.blockTerminationSignals()
    descriptor = try Syscalls.openTerminationSignals()
  }

  /// Waits for one of the signals.
  ///
  /// - Parameter milliseconds: For how long; 0 or more.
  /// - Returns: Its number; nil if none has come.
  public func wait(milliseconds: Int) -> Int32? {
    Syscalls.readSignal(descriptor.number, withinMilliseconds: Int32(clamping: milliseconds))
  }
}

/// Ends the process if it has not ended by itself in time.
public enum Watchdog {
  private static let stackBytes = 256 * 1024

  /// Begins to wait, on a thread of its own.
  ///
  /// - Parameters:
  ///   - milliseconds: How long the process has; 0 or more.
  ///   - status: The exit status it is ended with.
  ///   - tell: Says so before.
  /// - Throws: A ``SystemError`` when the system has no threads left.
  public static func start(
    milliseconds: Int,
    exitStatus status: Int32,
    _ tell: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    _ = try Syscalls.startThread(stackBytes: stackBytes) {
      Syscalls.sleep(milliseconds: milliseconds)
      tell()
      Syscalls.endProcess(status: status)
    }
  }
}

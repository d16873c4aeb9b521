/// Ends the process if it has not ended by itself in time.
public enum Watchdog {
  private static let stackBytes = 256 * 1024
  /// For how long that is waited for.
  private static let tellingMilliseconds = 100

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
      // Whoever is told may keep it waiting, as all else.
      _ = try? Syscalls.startThread(stackBytes: stackBytes, tell)
      Syscalls.sleep(milliseconds: tellingMilliseconds)
      Syscalls.endProcess(status: status)
    }
  }
}

/// A timer that ends the process if it has not ended in time.
package enum Watchdog {
  private static let stackBytes = 256 * 1024
  /// The time for the notification before the process ends.
  private static let tellingMilliseconds = 100

  /// Starts the timer on its own thread.
  ///
  /// - Parameters:
  ///   - milliseconds: The time until the process is ended; 0 or more.
  ///   - status: The exit status.
  ///   - tell: Called before the process ends.
  /// - Throws: A ``SystemError`` if no thread can be created.
  package static func start(
    milliseconds: Int,
    exitStatus status: Int32,
    _ tell: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    _ = try Syscalls.startThread(stackBytes: stackBytes) {
      Syscalls.sleep(milliseconds: milliseconds)
      // On another thread, because `tell` may block like the rest of the process.
      _ = try? Syscalls.startThread(stackBytes: stackBytes, tell)
      Syscalls.sleep(milliseconds: tellingMilliseconds)
      Syscalls.endProcess(status: status)
    }
  }
}

import Glibc
import Synchronization

/// The signals SIGTERM, SIGINT and SIGHUP, received synchronously.
package struct TerminationSignals: ~Copyable, Sendable {
  /// The meaning of a signal.
  package enum Request: Sendable {
    /// Stop the service: SIGTERM or SIGINT.
    case stop
    /// Reopen the log and read the keys again: SIGHUP.
    case reopen
  }

  private let descriptor: FileDescriptor
  /// The signals that stop the service.
  private static let stops = [SIGTERM, SIGINT]

  /// Blocks the signals for the whole process, and ignores SIGPIPE and SIGXFSZ.
  ///
  /// Must be called on the main thread before others are started, because they inherit the signal
  /// mask.
  ///
  /// - Throws: A ``SystemError`` if no descriptor is available.
  package init() throws(SystemError) {
    let signals = Self.stops + [SIGHUP]
    Syscalls.ignoreFailedWrites()
    Syscalls.block(signals)
    descriptor = try Syscalls.openSignals(signals)
  }

  /// Runs a closure, and ends the process with status 0 if a signal to stop arrives meanwhile.
  ///
  /// The closure must tolerate being cut off at any point, as by a crash.
  ///
  /// - Throws: The error of the closure; a ``SystemError`` if no thread can be created.
  package func endingProcess<Value>(while body: () throws -> Value) throws -> Value {
    let work = InterruptibleWork()
    _ = try Syscalls.startThread(stackBytes: 256 * 1024) {
      // The signal stays pending, so that after the closure ``wait(milliseconds:)`` receives it.
      while !work.isOver.load(ordering: .relaxed) {
        if Syscalls.isWaiting(anyOf: Self.stops) { Syscalls.endProcess(status: 0) }
        Syscalls.sleep(milliseconds: 20)
      }
    }
    defer { work.isOver.store(true, ordering: .relaxed) }
    return try body()
  }

  /// Waits for one of the signals.
  ///
  /// - Parameter milliseconds: The maximum time to wait; 0 or more.
  /// - Returns: The meaning of the signal; nil if none has arrived.
  package func wait(milliseconds: Int) -> Request? {
    let number = Syscalls.readSignal(
      descriptor.number,
      withinMilliseconds: Int32(clamping: milliseconds)
    )
    return number.map { $0 == SIGHUP ? .reopen : .stop }
  }
}

/// The state shared with the thread that watches for signals.
private final class InterruptibleWork: Sendable {
  let isOver = Atomic(false)
}

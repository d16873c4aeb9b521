import Glibc
import Synchronization

/// SIGTERM, SIGINT and SIGHUP, received as something to wait for instead of an interruption.
public struct TerminationSignals: ~Copyable, Sendable {
  /// What a signal asks for.
  public enum Request: Sendable {
    /// To stop: SIGTERM or SIGINT.
    case stop
    /// To open the log and to read the keys anew: SIGHUP.
    case reopen
  }

  private let descriptor: FileDescriptor
  /// Those that ask to stop.
  private static let stops = [SIGTERM, SIGINT]

  /// Takes the signals over for the whole process.
  ///
  /// To be made on the main thread before any other thread is started, as threads inherit that the
  /// signals are blocked. SIGPIPE and SIGXFSZ are ignored from then on as well.
  ///
  /// - Throws: A ``SystemError`` when the system has no descriptor left.
  public init() throws(SystemError) {
    let signals = Self.stops + [SIGHUP]
    Syscalls.ignoreFailedWrites()
    Syscalls.block(signals)
    descriptor = try Syscalls.openSignals(signals)
  }

  /// Does what may take long, and has the process end at once, with status 0, when it is asked to
  /// stop meanwhile: for what may be broken off anywhere, as by a crash.
  ///
  /// - Throws: What the body does; a ``SystemError`` when the system has no threads left.
  public func endingProcess<Value>(while body: () throws -> Value) throws -> Value {
    let work = InterruptibleWork()
    _ = try Syscalls.startThread(stackBytes: 256 * 1024) {
      // Looked at and not read: once the work is over, it is whoever waits that is told.
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

/// What two threads know of a work.
private final class InterruptibleWork: Sendable {
  let isOver = Atomic(false)
}

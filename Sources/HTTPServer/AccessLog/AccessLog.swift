import Glibc
import Synchronization

/// An access log with a line for each exchange.
///
/// Event loops append lines to a queue, and a separate thread writes them. Appending never blocks.
/// Lines that do not fit into the queue or cannot be written are dropped and counted.
package final class AccessLog: Sendable {
  /// The destination of the lines.
  package enum Destination: Sendable {
    /// The standard error stream.
    case standardError
    /// A file.
    ///
    /// It is created if necessary, and lines are appended.
    case file(String)
  }

  /// The state shared by the event loops and the writing thread.
  ///
  /// Separate from the log, so that the thread does not keep the log alive, whose owner stops it.
  final class Queue: Sendable {
    struct Contents {
      var bytes: [UInt8] = []
      var isReopening = false
      var isStopped = false
    }

    /// The lines.
    ///
    /// The lock is held while one line is copied, or all are taken.
    let contents = Mutex(Contents())
    /// A semaphore that is above 0 if there is work.
    let available: FileDescriptor
    let dropped = Atomic(0)

    init() throws(SystemError) { available = try Syscalls.semaphoreCreate() }
  }

  private let queue: Queue
  private let maxQueueBytes: Int
  private let thread: Mutex<pthread_t?>

  /// Opens the log and starts its thread.
  ///
  /// - Parameters:
  ///   - destination: The destination of the lines.
  ///   - maxQueueBytes: The maximum size of the queue in bytes.
  /// - Throws: A ``SystemError`` if the file cannot be opened.
  package init(
    to destination: Destination,
    maxQueueBytes: Int = 1_048_576
  ) throws(SystemError) {
    self.maxQueueBytes = maxQueueBytes
    queue = try Queue()
    let writer = try LogWriter(destination)
    thread = Mutex(nil)
    let started = try Syscalls.startThread(stackBytes: Self.stackBytes) { [queue] in
      var writer = writer
      writer.work(at: queue)
    }
    thread.withLock { $0 = started }
  }

  private static let stackBytes = 512 * 1024

  /// The number of dropped lines.
  package var dropped: Int { queue.dropped.load(ordering: .relaxed) }

  /// Appends a line to the queue, or drops it if there is no room.
  ///
  /// Safe from any thread.
  package func append(_ line: [UInt8]) {
    let (isTaken, isFirst) = queue.contents.withLock { contents in
      guard contents.bytes.count + line.count <= maxQueueBytes else { return (false, false) }
      contents.bytes.append(contentsOf: line)
      return (true, contents.bytes.count == line.count)
    }
    if !isTaken { queue.dropped.add(1, ordering: .relaxed) }
    if isFirst { Syscalls.semaphoreSignal(queue.available.number, count: 1) }
  }

  /// Opens the file again, because it may have been renamed.
  ///
  /// Lines already in the queue go to the old file. If opening fails, the old file stays in use.
  /// Safe from any thread.
  package func reopen() {
    queue.contents.withLock { $0.isReopening = true }
    Syscalls.semaphoreSignal(queue.available.number, count: 1)
  }

  /// Writes the queue and ends the thread.
  ///
  /// Must be called after the last line is appended. Calling it again does nothing.
  package func stop() {
    queue.contents.withLock { $0.isStopped = true }
    Syscalls.semaphoreSignal(queue.available.number, count: 1)
    let thread = thread.withLock { $0.take() }
    if let thread { Syscalls.join(thread) }
  }
}

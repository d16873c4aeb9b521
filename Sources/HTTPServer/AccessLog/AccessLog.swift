import Glibc
import Synchronization

/// A log of exchanges, a line each: loops put lines into a queue, and a thread of its own writes
/// them.
///
/// Whoever has a line waits for nothing. What does not fit into the queue, or cannot be written, is
/// dropped and counted.
public final class AccessLog: Sendable {
  /// Where lines go.
  public enum Destination: Sendable {
    /// The standard error.
    case standardError
    /// A file, which is made where there is none and appended to.
    case file(String)
  }

  /// What the loops and the thread share.
  ///
  /// Apart from the log, so that the thread does not keep alive what has to stop it.
  final class Queue: Sendable {
    struct Contents {
      var bytes: [UInt8] = []
      var isReopening = false
      var isStopped = false
    }

    /// Held for as long as a line is copied.
    let contents = Mutex(Contents())
    /// Above 0 when there is something to do.
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
  ///   - destination: Where lines go.
  ///   - maxQueueBytes: How many bytes of lines may wait to be written.
  /// - Throws: A ``SystemError`` when the file cannot be opened.
  public init(
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

  /// How many lines were dropped.
  public var dropped: Int { queue.dropped.load(ordering: .relaxed) }

  /// Puts a line into the queue, if there is room for it.
  ///
  /// Safe from any thread.
  public func append(_ line: [UInt8]) {
    let (isTaken, isFirst) = queue.contents.withLock { contents in
      guard contents.bytes.count + line.count <= maxQueueBytes else { return (false, false) }
      contents.bytes.append(contentsOf: line)
      return (true, contents.bytes.count == line.count)
    }
    if !isTaken { queue.dropped.add(1, ordering: .relaxed) }
    if isFirst { Syscalls.semaphoreSignal(queue.available.number, count: 1) }
  }

  /// Opens the file anew, as it may have been renamed: what is in the queue still goes to the old
  /// one.
  ///
  /// Where that fails the old one is kept. Safe from any thread.
  public func reopen() {
    queue.contents.withLock { $0.isReopening = true }
    Syscalls.semaphoreSignal(queue.available.number, count: 1)
  }

  /// Writes what is in the queue and ends.
  ///
  /// To be called when nobody appends any more. Stopping it again does nothing.
  public func stop() {
    queue.contents.withLock { $0.isStopped = true }
    Syscalls.semaphoreSignal(queue.available.number, count: 1)
    let thread = thread.withLock { $0.take() }
    if let thread { Syscalls.join(thread) }
  }
}

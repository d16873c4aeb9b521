import Glibc
import Synchronization

/// A few threads for work that would keep an event loop from its connections.
///
/// What comes of a job gets back to its connection by the waker of a late answer.
public final class WorkerPool: Sendable {
  private let queue: JobQueue
  private let maxQueued: Int
  private let threads: Mutex<[pthread_t]>

  /// Starts the threads.
  ///
  /// - Parameters:
  ///   - count: How many; at least one.
  ///   - maxQueued: How many jobs may wait for a thread.
  ///   - maxSpinMicroseconds: For how long a thread looks again and again for a job before it
  ///     sleeps; 0: not at all.
  ///   - niceness: How far the threads stand back behind others of the process (nice(2)), 0...19.
  /// - Throws: A ``ServerError`` when the system has no threads or descriptors left.
  public init(
    threads count: Int,
    maxQueued: Int,
    maxSpinMicroseconds: Int = 0,
    niceness: Int = 0
  ) throws(ServerError) {
    precondition(count > 0 && maxQueued > 0, "a pool has threads, and jobs may wait")
    self.maxQueued = maxQueued
    threads = Mutex([])
    do throws(SystemError) {
      queue = try JobQueue()
    } catch {
      throw .system(error)
    }
    do throws(SystemError) {
      for _ in 0..<count {
        let thread = try Syscalls.startThread(stackBytes: Self.stackBytes) { [queue] in
          Syscalls.standBack(niceness: Int32(niceness))
          queue.work(BriefWait(microseconds: maxSpinMicroseconds))
        }
        threads.withLock { $0.append(thread) }
      }
    } catch {
      stop()
      throw .system(error)
    }
  }

  /// How many jobs wait for a thread.
  ///
  /// Safe from any thread.
  public var waiting: Int { queue.count }

  /// Whether as many jobs wait as may be submitted.
  ///
  /// Safe from any thread.
  public var isFull: Bool { waiting >= maxQueued }

  private static let stackBytes = 8 * 1024 * 1024

  /// Has a thread do a job.
  ///
  /// Safe from any thread; it does not wait.
  ///
  /// - Parameter job: The job.
  /// - Returns: Whether it was taken: false when too many wait, or the pool is stopped.
  public func submit(_ job: @escaping @Sendable () -> Void) -> Bool {
    queue.append(job, atMost: maxQueued)
  }

  /// Has a thread do a job, however many wait: for callers that bound how many they have.
  ///
  /// Safe from any thread; it does not wait. Once the pool is stopped it does nothing.
  ///
  /// - Parameter job: The job.
  public func assign(_ job: @escaping @Sendable () -> Void) {
    _ = queue.append(job, atMost: .max)
  }

  /// Takes no more jobs, and returns when those under way are done; those that wait are dropped, or
  /// done, too.
  ///
  /// To be called after the server has stopped, when nobody waits for what is dropped, and before
  /// the pool is let go of. Stopping it again does nothing. Not to be called by a job.
  ///
  /// - Parameter finishing: Whether jobs that wait are done.
  public func stop(finishing: Bool = false) {
    queue.stop(finishing: finishing)
    let threads = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in threads { Syscalls.join(thread) }
  }
}

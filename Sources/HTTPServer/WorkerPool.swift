import Glibc
import Synchronization

/// A pool of threads for work that would block an event loop.
///
/// The result of a job reaches its connection by the waker of a deferred answer.
package final class WorkerPool: Sendable {
  private let queue: JobQueue
  private let maxQueued: Int
  private let threads: Mutex<[pthread_t]>

  /// Creates the pool and starts its threads.
  ///
  /// - Parameters:
  ///   - count: The number of threads; at least one.
  ///   - maxQueued: The maximum number of queued jobs.
  ///   - maxSpinMicroseconds: The time that a thread polls for a job before it sleeps; 0 for none.
  ///   - niceness: The niceness of the threads (nice(2)), 0...19.
  /// - Throws: A ``ServerError`` if a thread or descriptor cannot be created.
  package init(
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
        let thread = try Syscalls.startThread(stackBytes: ThreadStack.bytes) { [queue] in
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

  /// The number of queued jobs.
  ///
  /// Safe from any thread.
  package var waiting: Int { queue.count }

  /// True if the queue has `maxQueued` jobs.
  ///
  /// Safe from any thread.
  package var isFull: Bool { waiting >= maxQueued }

  /// Queues a job.
  ///
  /// Safe from any thread; it does not block.
  ///
  /// - Parameter job: The job.
  /// - Returns: False if the queue is full or the pool is stopped.
  package func submit(_ job: @escaping @Sendable () -> Void) -> Bool {
    queue.append(job, atMost: maxQueued)
  }

  /// Queues a job without a limit, for callers that limit their number of jobs.
  ///
  /// Safe from any thread; it does not block. After the pool is stopped it does nothing.
  ///
  /// - Parameter job: The job.
  package func assign(_ job: @escaping @Sendable () -> Void) {
    _ = queue.append(job, atMost: .max)
  }

  /// Rejects further jobs and returns when the running ones are done.
  ///
  /// Queued jobs are discarded, or run first. Must be called after the server has stopped, when
  /// nobody waits for discarded jobs, and before the pool is released. Calling it again does
  /// nothing. A job must not call it.
  ///
  /// - Parameter finishing: True to run the queued jobs.
  package func stop(finishing: Bool = false) {
    queue.stop(finishing: finishing)
    let threads = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in threads { Syscalls.join(thread) }
  }
}

import Glibc
import Synchronization

/// A few threads for work that would keep an event loop from its connections.
///
/// What comes of a job gets back to its connection by the waker of a late answer.
public final class WorkerPool: Sendable {
  /// What the threads share.
  ///
  /// Apart from the pool, so that a thread does not keep alive what has to stop it.
  private final class Queue: Sendable {
    struct Contents {
      var jobs: [@Sendable () -> Void] = []
      var isStopped = false
    }

    /// The lock is held for one insertion or removal, and no job runs under it.
    let contents = Mutex(Contents())
    /// Counts the jobs; when stopped, lets every thread go on that finds none.
    let available: FileDescriptor
    /// For how many jobs it was raised, and which nobody has taken, as a hint: the semaphore says
    /// who may take one.
    let waiting = Atomic(0)

    init() throws(SystemError) { available = try Syscalls.semaphoreCreate() }

    /// Runs jobs, oldest first, until the pool is stopped.
    func work(_ wait: consuming BriefWait) {
      while let job = next(&wait) { job() }
    }

    /// Waits for a job; nil if the pool is stopped.
    private func next(_ wait: inout BriefWait) -> (@Sendable () -> Void)? {
      wait.wait {
        guard waiting.load(ordering: .relaxed) > 0 else { return false }
        Syscalls.semaphoreWait(available.number)
        return true
      } orAsleep: {
        Syscalls.semaphoreWait(available.number)
      }
      return contents.withLock { contents in
        guard !contents.jobs.isEmpty else { return nil }
        waiting.subtract(1, ordering: .relaxed)
        return contents.jobs.removeFirst()
      }
    }
  }

  private let queue: Queue
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
      queue = try Queue()
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
  public var waiting: Int { queue.contents.withLock { $0.jobs.count } }

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
    append(job, atMost: maxQueued)
  }

  /// Has a thread do a job, however many wait: for callers that bound how many they have.
  ///
  /// Safe from any thread; it does not wait. Once the pool is stopped it does nothing.
  ///
  /// - Parameter job: The job.
  public func assign(_ job: @escaping @Sendable () -> Void) { _ = append(job, atMost: .max) }

  private func append(_ job: @escaping @Sendable () -> Void, atMost max: Int) -> Bool {
    let isTaken = queue.contents.withLock { contents in
      guard !contents.isStopped, contents.jobs.count < max else { return false }
      contents.jobs.append(job)
      return true
    }
    guard isTaken else { return false }
    Syscalls.semaphoreSignal(queue.available.number, count: 1)
    // Only now: whoever looks for a job and sees one would fall asleep over a semaphore that is not
    // raised yet, and to be woken takes longer than to raise it.
    queue.waiting.add(1, ordering: .relaxed)
    return true
  }

  /// Takes no more jobs, and returns when those under way are done; those that wait are dropped, or
  /// done, too.
  ///
  /// To be called after the server has stopped, when nobody waits for what is dropped, and before
  /// the pool is let go of. Stopping it again does nothing. Not to be called by a job.
  ///
  /// - Parameter finishing: Whether jobs that wait are done.
  public func stop(finishing: Bool = false) {
    queue.contents.withLock { contents in
      if !finishing {
        queue.waiting.subtract(contents.jobs.count, ordering: .relaxed)
        contents.jobs = []
      }
      contents.isStopped = true
    }
    let threads = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    Syscalls.semaphoreSignal(queue.available.number, count: threads.count)
    // For those who are about to look for a job.
    queue.waiting.add(threads.count, ordering: .relaxed)
    for thread in threads { Syscalls.join(thread) }
  }
}

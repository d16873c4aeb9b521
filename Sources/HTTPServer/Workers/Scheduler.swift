import Glibc
import Synchronization

/// Worker threads for what would keep an event loop from its connections, shared fairly.
///
/// The order is that of a ``FairSchedule``. A job that gives way to others keeps its thread, which
/// sleeps meanwhile; so there are more threads than permits, and they are started when needed.
///
/// What comes of a job gets back to its connection by the waker of a late answer.
public final class Scheduler: Sendable {
  /// Work, given the place where it runs.
  public typealias Work = @Sendable (WorkerSlot) -> Void

  private struct Contents {
    var schedule: FairSchedule
    var works: [FairSchedule.JobID: Work] = [:]
    /// The threads of jobs that have begun.
    var busy: [FairSchedule.JobID: WorkerThread] = [:]
    var idle: [WorkerThread] = []
    var threads: [pthread_t] = []
    var isStopped = false
  }

  /// The most jobs that wait for their next turn with a thread.
  public static let maxParked = 128
  private static let stackBytes = 8 * 1024 * 1024

  /// Held for a few steps; no job runs under it.
  private let contents: Mutex<Contents>
  private let stopping = Atomic(false)
  private let maxQueued: Int
  private let niceness: Int

  /// Makes a scheduler, and starts as many threads as jobs may run at the same time.
  ///
  /// - Parameters:
  ///   - permits: The number of jobs that may run at the same time; at least one.
  ///   - maxQueued: The number of jobs that may wait for ``submit(_:_:)`` to take more.
  ///   - niceness: How far the threads stand back behind others of the process (nice(2)), 0...19.
  /// - Throws: A ``ServerError`` when the system has no threads or descriptors left.
  public init(permits: Int, maxQueued: Int, niceness: Int = 0) throws(ServerError) {
    self.maxQueued = maxQueued
    self.niceness = niceness
    let schedule = FairSchedule(permits: permits, maxParked: Self.maxParked)
    contents = Mutex(Contents(schedule: schedule))
    do throws(SystemError) {
      for _ in 0..<permits {
        let thread = try startThread()
        contents.withLock { $0.idle.append(thread) }
      }
    } catch {
      stop()
      throw .system(error)
    }
  }

  /// The number of jobs that wait for a worker.
  ///
  /// Safe from any thread.
  public var waiting: Int { contents.withLock { $0.schedule.waiting } }

  /// True if as many jobs wait as may be submitted.
  ///
  /// Safe from any thread.
  public var isFull: Bool { waiting >= maxQueued }

  /// True if all work is to stop, as the service ends.
  var isStopping: Bool { stopping.load(ordering: .relaxed) }

  /// Queues work, unless too much waits.
  ///
  /// Safe from any thread; it does not wait.
  ///
  /// - Returns: False if it was not taken: too much waits, or the scheduler is stopped.
  public func submit(_ owner: WorkOwner, _ work: @escaping Work) -> Bool {
    add(owner, atMost: maxQueued, work)
  }

  /// Queues work, however much waits: for callers that bound how much they have.
  ///
  /// Safe from any thread; it does not wait. Once the scheduler is stopped it does nothing.
  public func assign(_ owner: WorkOwner, _ work: @escaping Work) {
    _ = add(owner, atMost: .max, work)
  }

  /// Has all work stop at its next check, as the service ends.
  ///
  /// Safe from any thread; it does not wait.
  public func interrupt() {
    stopping.store(true, ordering: .relaxed)
    contents.withLock { contents in
      for thread in contents.busy.values { thread.endPark() }
    }
  }

  /// Drops the work that waits, has the other work stop at its next check, and returns when it has.
  ///
  /// Stopping it again does nothing. Not to be called by a job.
  public func stop() {
    interrupt()
    let threads = contents.withLock { contents in
      contents.isStopped = true
      contents.works = [:]
      for thread in contents.idle { thread.end() }
      contents.idle = []
      defer { contents.threads = [] }
      return contents.threads
    }
    for thread in threads { Syscalls.join(thread) }
  }

  private func add(_ owner: WorkOwner, atMost limit: Int, _ work: @escaping Work) -> Bool {
    contents.withLock { contents in
      guard !contents.isStopped, contents.schedule.waiting < limit else { return false }
      let id = contents.schedule.add(owner)
      contents.works[id] = work
      dispatch(&contents)
      return true
    }
  }

  /// Has the jobs begin or go on that are next, as long as there are permits.
  private func dispatch(_ contents: inout Contents) {
    while !contents.isStopped, let next = contents.schedule.next() {
      guard next.isNew else {
        contents.busy[next.job]?.endPark()
        continue
      }
      guard let work = contents.works.removeValue(forKey: next.job) else { continue }
      let thread = contents.idle.popLast() ?? (try? startThread(&contents))
      guard let thread else {
        // No thread can be had now: the job waits until another one is done.
        contents.works[next.job] = work
        return contents.schedule.putBack(next.job)
      }
      contents.busy[next.job] = thread
      thread.run(work, next.job)
    }
  }

  // MARK: The threads

  private func startThread() throws(SystemError) -> WorkerThread {
    try contents.withLock { contents throws(SystemError) in try startThread(&contents) }
  }

  private func startThread(_ contents: inout Contents) throws(SystemError) -> WorkerThread {
    let thread = try WorkerThread()
    contents.threads.append(
      try Syscalls.startThread(stackBytes: Self.stackBytes) { [niceness, self] in
        Syscalls.standBack(niceness: Int32(niceness))
        thread.serve(self)
      }
    )
    return thread
  }

  /// Gives the permit of a job to others if its quantum is over, and waits for its next turn.
  ///
  /// The time is what the job has used since it was charged last, in nanoseconds.
  func pause(_ job: FairSchedule.JobID, on thread: WorkerThread, after time: Int) {
    let isParked = contents.withLock { contents in
      contents.schedule.charge(job, time)
      guard !isStopping, contents.schedule.yield(job) else { return false }
      thread.beginPark()
      dispatch(&contents)
      return true
    }
    if isParked { thread.park() }
  }

  /// Has others run after a job, on whose thread the next one may.
  func finish(_ job: FairSchedule.JobID, on thread: WorkerThread, after time: Int) {
    contents.withLock { contents in
      contents.schedule.charge(job, time)
      contents.schedule.finish(job)
      contents.busy[job] = nil
      guard !contents.isStopped else { return thread.end() }
      contents.idle.append(thread)
      dispatch(&contents)
    }
  }
}

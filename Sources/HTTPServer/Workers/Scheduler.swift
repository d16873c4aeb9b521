import Glibc
import Synchronization

/// Worker threads for work that would block an event loop, shared fairly.
///
/// ``FairSchedule`` determines the order. A job that gives up its permit keeps its thread, which
/// sleeps. There may therefore be more threads than permits; they are started on demand.
///
/// The result of a job reaches its connection by the waker of a deferred answer.
package final class Scheduler: Sendable {
  /// A job.
  ///
  /// Its argument is the slot in which it runs.
  package typealias Work = @Sendable (WorkerSlot) -> Void

  private struct Contents {
    var schedule: FairSchedule
    var works: [FairSchedule.JobID: Work] = [:]
    /// The threads of jobs that have begun.
    var busy: [FairSchedule.JobID: WorkerThread] = [:]
    var idle: [WorkerThread] = []
    /// The jobs that were submitted with a limit and have not begun.
    var limited: Set<FairSchedule.JobID> = []
    var threads: [pthread_t] = []
    var isStopped = false
  }

  /// The maximum number of jobs that have begun and wait for a permit, each with a thread.
  package static let maxParked = 128

  /// The lock is held for short operations.
  ///
  /// No job runs under it.
  private let contents: Mutex<Contents>
  private let stopping = Atomic(false)
  private let maxQueued: Int
  private let niceness: Int

  /// Creates a scheduler and starts a thread for each permit.
  ///
  /// - Parameters:
  ///   - permits: The maximum number of running jobs; at least one.
  ///   - maxQueued: The number of submitted jobs that have not begun, from which ``submit(_:_:)``
  ///     returns false. Assigned jobs do not count.
  ///   - niceness: The niceness of the threads (nice(2)), 0...19.
  /// - Throws: A ``ServerError`` if a thread or descriptor cannot be created.
  package init(permits: Int, maxQueued: Int, niceness: Int = 0) throws(ServerError) {
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

  /// The number of jobs that wait for a permit.
  ///
  /// Safe from any thread.
  package var waiting: Int { contents.withLock { $0.schedule.waiting } }

  /// True if ``submit(_:_:)`` accepts no more jobs.
  ///
  /// Safe from any thread.
  package var isFull: Bool { contents.withLock { $0.limited.count } >= maxQueued }

  /// True if all jobs must stop because the service ends.
  var isStopping: Bool { stopping.load(ordering: .relaxed) }

  /// Queues a job.
  ///
  /// Safe from any thread; it does not block.
  ///
  /// - Returns: False if the queue is full or the scheduler is stopped.
  package func submit(_ owner: WorkOwner, _ work: @escaping Work) -> Bool {
    add(owner, isLimited: true, work)
  }

  /// Queues a job without a limit, for callers that limit their number of jobs.
  ///
  /// Safe from any thread; it does not block. After the scheduler is stopped it does nothing.
  package func assign(_ owner: WorkOwner, _ work: @escaping Work) {
    _ = add(owner, isLimited: false, work)
  }

  /// Makes all jobs stop at their next check, because the service ends.
  ///
  /// Safe from any thread; it does not block.
  package func interrupt() {
    stopping.store(true, ordering: .relaxed)
    contents.withLock { contents in
      for thread in contents.busy.values { thread.endPark() }
    }
  }

  /// Discards waiting jobs, makes the others stop at their next check, and returns when they have.
  ///
  /// Calling it again does nothing. A job must not call it.
  package func stop() {
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

  private func add(_ owner: WorkOwner, isLimited: Bool, _ work: @escaping Work) -> Bool {
    contents.withLock { contents in
      guard !contents.isStopped, !isLimited || contents.limited.count < maxQueued else {
        return false
      }
      let id = contents.schedule.add(owner)
      if isLimited { contents.limited.insert(id) }
      contents.works[id] = work
      dispatch(&contents)
      return true
    }
  }

  /// Starts or resumes the next jobs while there are permits.
  private func dispatch(_ contents: inout Contents) {
    while !contents.isStopped, let next = contents.schedule.next() {
      guard next.isNew else {
        contents.busy[next.job]?.endPark()
        continue
      }
      guard let work = contents.works.removeValue(forKey: next.job) else { continue }
      let thread = contents.idle.popLast() ?? (try? startThread(&contents))
      guard let thread else {
        // Without a thread, the job waits until another one is done.
        contents.works[next.job] = work
        return contents.schedule.putBack(next.job)
      }
      contents.limited.remove(next.job)
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
      try Syscalls.startThread(stackBytes: ThreadStack.bytes) { [niceness, self] in
        Syscalls.standBack(niceness: Int32(niceness))
        thread.serve(self)
      }
    )
    return thread
  }

  /// Lets others run if the quantum of a job is over.
  ///
  /// If others wait, the job gives up its permit and waits for the next one.
  ///
  /// `time` is the time used since the last call, in nanoseconds.
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

  /// Ends a job, whose thread may run the next one.
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

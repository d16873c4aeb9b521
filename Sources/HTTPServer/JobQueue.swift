import Synchronization

/// The state shared by the threads of a ``WorkerPool``: queued jobs and sleeping threads.
///
/// Separate from the pool, so that a thread does not keep the pool alive, whose owner stops it.
///
/// A thread that polls for a job needs no system call; only a sleeping one is woken by a call.
final class JobQueue: Sendable {
  typealias Job = @Sendable () -> Void

  private struct Contents {
    var jobs: [Job] = []
    var isStopped = false
    /// The number of threads that sleep, or are about to, and have not been woken.
    var sleepers = 0

    /// True if a thread has something to do.
    var isDue: Bool { !jobs.isEmpty || isStopped }
  }

  /// The lock is held for one insertion or removal.
  ///
  /// No job runs under it.
  private let contents = Mutex(Contents())
  /// A hint that a thread has something to do.
  ///
  /// Relaxed ordering suffices, because jobs are taken under the lock.
  private let isDue = Atomic(false)
  /// A semaphore, raised by one for each thread that must wake up.
  private let wakeups: FileDescriptor

  init() throws(SystemError) { wakeups = try Syscalls.semaphoreCreate() }

  /// The number of queued jobs.
  var count: Int { contents.withLock { $0.jobs.count } }

  // MARK: Producers

  /// Appends a job; returns false if the queue has `max` jobs or is stopped.
  func append(_ job: @escaping Job, atMost max: Int) -> Bool {
    let (isTaken, isAnyAsleep) = contents.withLock { contents in
      guard !contents.isStopped, contents.jobs.count < max else { return (false, false) }
      contents.jobs.append(job)
      isDue.store(true, ordering: .relaxed)
      guard contents.sleepers > 0 else { return (true, false) }
      contents.sleepers -= 1
      return (true, true)
    }
    if isAnyAsleep { Syscalls.semaphoreSignal(wakeups.number, count: 1) }
    return isTaken
  }

  /// Rejects further jobs, and lets the threads end when the queue is empty.
  ///
  /// - Parameter finishing: True to run the queued jobs first; false to discard them.
  func stop(finishing: Bool) {
    let sleepers = contents.withLock { contents in
      if !finishing { contents.jobs = [] }
      contents.isStopped = true
      isDue.store(true, ordering: .relaxed)
      defer { contents.sleepers = 0 }
      return contents.sleepers
    }
    Syscalls.semaphoreSignal(wakeups.number, count: sleepers)
  }

  // MARK: Consumers

  /// Runs jobs, oldest first, until the queue is stopped.
  func work(_ wait: consuming BriefWait) {
    while let job = next(&wait) { job() }
  }

  /// Waits for a job; returns nil if the queue is stopped and empty.
  private func next(_ wait: inout BriefWait) -> Job? {
    while true {
      wait.wait {
        isDue.load(ordering: .relaxed)
      } orAsleep: {
        if isToSleep() { Syscalls.semaphoreWait(wakeups.number) }
      }
      let (job, isStopped) = take()
      // Another thread may have taken the job.
      if job != nil || isStopped { return job }
    }
  }

  /// Counts the calling thread as asleep and returns true, unless there is something to do.
  private func isToSleep() -> Bool {
    contents.withLock { contents in
      guard !contents.isDue else { return false }
      contents.sleepers += 1
      return true
    }
  }

  private func take() -> (Job?, isStopped: Bool) {
    contents.withLock { contents in
      let job = contents.jobs.isEmpty ? nil : contents.jobs.removeFirst()
      isDue.store(contents.isDue, ordering: .relaxed)
      return (job, contents.isStopped)
    }
  }
}

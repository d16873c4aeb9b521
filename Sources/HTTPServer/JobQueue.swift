import Synchronization

/// What the threads of a ``WorkerPool`` share: the jobs that wait, and who waits for one.
///
/// Apart from the pool, so that a thread does not keep alive what has to stop it.
///
/// A thread that looks for a job finds it without a system call; only who sleeps is woken by one.
final class JobQueue: Sendable {
  typealias Job = @Sendable () -> Void

  private struct Contents {
    var jobs: [Job] = []
    var isStopped = false
    /// How many threads sleep, or are about to, whom nobody has woken.
    var sleepers = 0

    /// Whether who looks finds something to do.
    var isDue: Bool { !jobs.isEmpty || isStopped }
  }

  /// The lock is held for one insertion or removal, and no job runs under it.
  private let contents = Mutex(Contents())
  /// Whether who looks finds something to do, as a hint to look closer.
  ///
  /// Nothing is ordered by it: who takes something takes the lock.
  private let isDue = Atomic(false)
  /// Raised by one for each thread that is to wake up.
  private let wakeups: FileDescriptor

  init() throws(SystemError) { wakeups = try Syscalls.semaphoreCreate() }

  /// How many jobs wait.
  var count: Int { contents.withLock { $0.jobs.count } }

  // MARK: Those who have jobs

  /// Adds a job, unless so many wait or it is stopped; whether it did.
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

  /// Takes no more jobs, and has the threads end once they find none.
  ///
  /// - Parameter finishing: Whether the jobs that wait are done before.
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

  // MARK: The threads

  /// Runs jobs, oldest first, until it is stopped.
  func work(_ wait: consuming BriefWait) {
    while let job = next(&wait) { job() }
  }

  /// Waits for a job; nil once it is stopped and none is left.
  private func next(_ wait: inout BriefWait) -> Job? {
    while true {
      wait.wait {
        isDue.load(ordering: .relaxed)
      } orAsleep: {
        if isToSleep() { Syscalls.semaphoreWait(wakeups.number) }
      }
      let (job, isStopped) = take()
      // Where there is none, another thread was faster.
      if job != nil || isStopped { return job }
    }
  }

  /// Counts the thread that asks as asleep, unless there is something to do.
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

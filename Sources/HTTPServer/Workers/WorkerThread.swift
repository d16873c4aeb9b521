import Synchronization

/// A thread of a ``Scheduler``: it waits for a job, runs it, and waits for the next one.
final class WorkerThread: Sendable {
  private enum Order {
    case run(Scheduler.Work, FairSchedule.JobID)
    case end
  }

  private struct Contents {
    var order: Order?
    var isParked = false
  }

  private let contents = Mutex(Contents())
  private let wakeups: FileDescriptor

  init() throws(SystemError) { wakeups = try Syscalls.semaphoreCreate() }

  // MARK: The scheduler's side

  /// Has the thread run a job; it must be idle.
  func run(_ work: @escaping Scheduler.Work, _ job: FairSchedule.JobID) { give(.run(work, job)) }

  /// Has the thread end once it has no job.
  func end() { give(.end) }

  /// Notes that the thread is about to wait for its next turn.
  func beginPark() { contents.withLock { $0.isParked = true } }

  /// Has the thread go on, if it waits for its next turn or is about to.
  func endPark() {
    let wasParked = contents.withLock { contents in
      defer { contents.isParked = false }
      return contents.isParked
    }
    if wasParked { Syscalls.semaphoreSignal(wakeups.number, count: 1) }
  }

  private func give(_ order: Order) {
    contents.withLock { $0.order = order }
    Syscalls.semaphoreSignal(wakeups.number, count: 1)
  }

  // MARK: The thread's side

  /// Waits for the next turn.
  func park() { Syscalls.semaphoreWait(wakeups.number) }

  /// Runs jobs until it is told to end.
  func serve(_ scheduler: Scheduler) {
    while true {
      Syscalls.semaphoreWait(wakeups.number)
      let order = contents.withLock { contents in
        defer { contents.order = nil }
        return contents.order
      }
      guard case .run(let work, let job)? = order else { return }
      let slot = WorkerSlot(job, on: self, of: scheduler)
      work(slot)
      slot.finish()
    }
  }
}

/// The place on a thread where one job of a ``Scheduler`` runs; for that job alone.
public final class WorkerSlot: Sendable {
  /// The time after which the schedule is asked, in nanoseconds: it knows more quanta than the own.
  private static let chargeTime = FairSchedule.quantum

  private let job: FairSchedule.JobID
  private let thread: WorkerThread
  private let scheduler: Scheduler
  private let begin = Syscalls.threadNanoseconds()
  private let charged = Atomic(0)

  init(_ job: FairSchedule.JobID, on thread: WorkerThread, of scheduler: Scheduler) {
    self.job = job
    self.thread = thread
    self.scheduler = scheduler
  }

  /// Lets other jobs run if the quantum of this one is over, and returns when it may go on.
  ///
  /// - Returns: The processor time that the job has used so far, in nanoseconds.
  public func pause() -> Int {
    let used = Syscalls.threadNanoseconds() - begin
    let time = used - charged.load(ordering: .relaxed)
    guard time >= Self.chargeTime else { return used }
    charged.store(used, ordering: .relaxed)
    scheduler.pause(job, on: thread, after: time)
    return used
  }

  /// True if the job has to stop where it can, as the service ends.
  public var isStopping: Bool { scheduler.isStopping }

  func finish() {
    let used = Syscalls.threadNanoseconds() - begin
    scheduler.finish(job, on: thread, after: used - charged.load(ordering: .relaxed))
  }
}

import Synchronization

/// A thread of a ``Scheduler``, which runs one job after another.
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

  // MARK: Called by the scheduler

  /// Makes the thread run a job.
  ///
  /// The thread must be idle.
  func run(_ work: @escaping Scheduler.Work, _ job: FairSchedule.JobID) { give(.run(work, job)) }

  /// Makes the thread end once it has no job.
  func end() { give(.end) }

  /// Records that the thread is about to wait for a permit.
  func beginPark() { contents.withLock { $0.isParked = true } }

  /// Makes the thread continue, if it waits for a permit or is about to.
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

  // MARK: Called on the thread

  /// Waits for a permit.
  func park() { Syscalls.semaphoreWait(wakeups.number) }

  /// Runs jobs until the thread must end.
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

/// The context in which one job of a ``Scheduler`` runs.
package final class WorkerSlot: Sendable {
  /// The used time from which the schedule is consulted, in nanoseconds.
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

  /// Lets other jobs run if the quantum of this one is over, and returns when it may continue.
  ///
  /// - Returns: The processor time that the job has used so far, in nanoseconds.
  package func pause() -> Int {
    let used = Syscalls.threadNanoseconds() - begin
    let time = used - charged.load(ordering: .relaxed)
    guard time >= Self.chargeTime else { return used }
    charged.store(used, ordering: .relaxed)
    scheduler.pause(job, on: thread, after: time)
    return used
  }

  /// True if the job must stop as soon as possible, because the service ends.
  package var isStopping: Bool { scheduler.isStopping }

  func finish() {
    let used = Syscalls.threadNanoseconds() - begin
    scheduler.finish(job, on: thread, after: used - charged.load(ordering: .relaxed))
  }
}

/// The stacks of threads that run handlers, jobs and commits.
enum ThreadStack {
  /// The size of a stack in bytes: 8 MiB, or less if addresses or data of the process are limited.
  ///
  /// A stack counts for such a limit with its full size, used or not.
  static let bytes: Int = {
    let limits = [Syscalls.maxAddressBytes(), Syscalls.maxDataBytes()].compactMap(\.self)
    guard let limit = limits.min() else { return mostBytes }
    return max(leastBytes, min(mostBytes, limit / 512 / pageBytes * pageBytes))
  }()

  private static let mostBytes = 8 << 20
  private static let leastBytes = 1 << 20
  private static let pageBytes = 1 << 16
}

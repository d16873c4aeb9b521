import Synchronization
import TreeDomain

/// The serial executor of one tree, for work that must not run on event loops.
final class TreeExecutor: WorkExecutor {
  /// A background task, given the control under which it runs.
  typealias Task = @Sendable (any WorkControl) -> Void

  private let number: Int
  private let waiting: SharedRoom
  private let ownWaiting: SharedRoom
  private let schedule: WorkItem.Scheduling
  /// Measures how long calls wait here, and for the lock of the tree.
  let meter: TreeMeter

  /// The number of executors so far, by which the scheduler distinguishes trees.
  private static let count = Atomic(0)

  /// Makes an executor.
  ///
  /// - Parameters:
  ///   - waiting: The room for calls that wait for any tree.
  ///   - limit: The maximum number of calls that wait here.
  ///   - meter: Measures how long they wait.
  ///   - schedule: Queues work for the worker threads.
  init(
    _ waiting: SharedRoom,
    limit: Int,
    meter: TreeMeter,
    _ schedule: @escaping WorkItem.Scheduling
  ) {
    number = Self.count.add(1, ordering: .relaxed).newValue
    self.waiting = waiting
    ownWaiting = SharedRoom(limit)
    self.meter = meter
    self.schedule = schedule
  }

  /// Queues the work of a request; see ``WorkExecutor``.
  func submit(_ job: Job) -> Bool { submit(job, isExclusive: true, runBy: self) }

  /// Queues the work of a request for an executor that shares the limits of this one.
  ///
  /// Returns false if too many calls wait.
  func submit(_ job: Job, isExclusive: Bool, runBy runner: any WorkExecutor) -> Bool {
    guard ownWaiting.reserve(1) else { return false }
    guard waiting.reserve(1) else {
      ownWaiting.giveBack(1)
      return false
    }
    let begin = ContinuousClock.now
    schedule(
      WorkItem(tree: number, caller: job.caller, isExclusive: isExclusive) { [self] slot in
        meter.addWait(since: begin)
        ownWaiting.giveBack(1)
        waiting.giveBack(1)
        job.run(on: slot, of: runner)
      }
    )
    return true
  }

  /// Queues a background task.
  ///
  /// The caller limits the number of tasks.
  ///
  /// - Parameters:
  ///   - isExclusive: True if the task begins after other exclusive work of the tree has ended.
  ///   - task: The task.
  func add(isExclusive: Bool = true, _ task: @escaping Task) {
    schedule(
      WorkItem(tree: number, isExclusive: isExclusive) { slot in task(TaskControl(slot)) }
    )
  }
}

/// The control of a background task.
///
/// It pauses for other work, and stops only with the service.
final class TaskControl: WorkControl {
  private let slot: any WorkSlot

  init(_ slot: any WorkSlot) { self.slot = slot }

  func check() throws(ServiceError) {
    slot.pause()
    if slot.isStopping {
      throw ServiceError(.overloaded, "The service is shutting down.")
    }
  }

  func pause() { slot.pause() }
}

/// A control that never stops work, and lets other work run when another control would.
final class PausingControl: WorkControl {
  private let control: any WorkControl

  init(_ control: any WorkControl) { self.control = control }

  var payer: String? { control.payer }

  func check() throws(ServiceError) { control.pause() }

  func pause() { control.pause() }
}

/// An executor of one tree's work that need not wait for other work of the tree.
///
/// Its calls count as waiting calls of the tree's own executor, and use its share of the workers.
final class SharedExecutor: WorkExecutor {
  private let executor: TreeExecutor

  init(_ executor: TreeExecutor) { self.executor = executor }

  /// Queues a call; see ``WorkExecutor``.
  func submit(_ job: Job) -> Bool { executor.submit(job, isExclusive: false, runBy: self) }
}

import Synchronization
import TreeDomain

/// The work of one tree that is not done on event loops: one piece after another, on workers.
final class TreeExecutor: WorkExecutor {
  /// The work of the service itself, given the control that it runs under.
  typealias Task = @Sendable (any WorkControl) -> Void

  private let number: Int
  private let waiting: SharedRoom
  private let ownWaiting: SharedRoom
  private let schedule: WorkItem.Scheduling
  /// Counts how long calls wait here, and for the lock of the tree.
  let meter: TreeMeter

  /// Numbers executors, and so the trees that the scheduler tells apart.
  private static let count = Atomic(0)

  /// Makes an executor.
  ///
  /// - Parameters:
  ///   - waiting: The room for requests that wait for any tree.
  ///   - limit: The most requests that may wait here.
  ///   - meter: Counts the times that they wait.
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

  /// Queues the work of a request that an executor runs, in the room of this one.
  func submit(_ job: Job, isExclusive: Bool, runBy runner: any WorkExecutor) -> Bool {
    guard ownWaiting.take(1) else { return false }
    guard waiting.take(1) else {
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

  /// Queues a task of the service; whoever has one sees to it that they are not too many.
  func add(_ task: @escaping Task) {
    schedule(WorkItem(tree: number) { slot in task(TaskControl(slot)) })
  }
}

/// Has a task of the service share the processor with others; only the end of the service stops it.
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

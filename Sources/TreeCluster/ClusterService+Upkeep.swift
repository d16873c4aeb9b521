import Glibc
import Synchronization
public import TreeDomain
import TreeSessions
import TreeStorage

// The upkeep of the slots, on a thread of the process that serves no requests.
extension ClusterService {
  /// The maximum time that a start waits for its first slots, in milliseconds.
  private static let startMilliseconds = 10_000

  /// Begins to serve.
  ///
  /// Waits until the slots are open that this instance has to acquire now: all of them if it works
  /// alone.
  ///
  /// - Throws: ``StorageError`` if an instance alone cannot open a slot.
  public func start() throws(StorageError) {
    try core.cluster.start(hear: { [core] in core.hear($0) }, lose: { [core] in core.dropAll() })
    let end = core.options.clock() + Self.startMilliseconds
    while true {
      let (isDone, fault) = core.state.withLock { state in
        let isIdle = state.view != nil && !state.isBusy.contains(true)
        let isComplete = !core.cluster.isAlone || !state.open.contains { $0 == nil }
        return (isIdle && isComplete, state.faults.first?.value)
      }
      if isDone { return }
      if core.cluster.isAlone {
        if let fault { throw fault }
      } else if core.options.clock() > end {
        return
      }
      usleep(1_000)
    }
  }

  /// True if this instance works alone and another one has taken over, so that it must end.
  public var isOver: Bool {
    guard core.cluster.isAlone else { return false }
    if core.isOver.load(ordering: .acquiring) { return true }
    return core.state.withLock { $0.open.contains { $0?.storage.isLost == true } }
  }

  /// True as long as surely no other instance acquires what this one has.
  public var isValid: Bool { core.cluster.isValid }

  /// Forgets all slots if other instances may have them by now.
  ///
  /// Their streams end then. To be called twice a second, or so.
  public func dropOutdated() {
    guard !core.cluster.isAlone, core.cluster.isOverdue else { return }
    core.dropAll()
  }

  /// Runs the maintenance of each slot; see ``SessionStore/runMaintenance()``.
  public func runMaintenance() { for open in core.open { open.store.runMaintenance() } }

  /// True if so much memory is used that unused data should be dropped.
  public var isMemoryTight: Bool { core.open.first?.store.isMemoryTight ?? false }

  /// Drops unused data of each slot while memory is tight.
  public func relieveMemory() { for open in core.open { open.store.relieveMemory() } }

  /// Makes ``readiness`` report the coming stop.
  public func drain() {
    core.isDraining.store(true, ordering: .releasing)
    for open in core.open { open.store.drain() }
  }

  /// Hands all slots over to other instances, while requests are still answered and forwarded.
  ///
  /// Does nothing if there are no others.
  ///
  /// - Parameter milliseconds: The maximum time that it takes.
  public func handOver(withinMilliseconds milliseconds: Int) {
    guard hasHeirs else { return }
    core.isLeaving.store(true, ordering: .releasing)
    core.cluster.leave()
    let end = core.options.clock() + milliseconds
    // A slot is handed over when its new owner is known, so that requests are forwarded.
    func isHandedOver() -> Bool {
      core.state.withLock { state in
        !state.open.contains { $0 != nil } && !state.addresses.contains { $0 == nil }
      }
    }
    while hasHeirs, !isHandedOver(), core.options.clock() < end { usleep(5_000) }
  }

  /// True if another instance stays that may acquire slots.
  private var hasHeirs: Bool {
    core.state.withLock { state in
      guard let view = state.view else { return false }
      return view.members.contains { $0.id != view.id && !$0.isLeaving && !$0.address.isEmpty }
    }
  }

  /// Writes everything, and gives all slots and the lease up.
  ///
  /// To be called after the last request was answered.
  public func stop() {
    core.isLeaving.store(true, ordering: .releasing)
    let open = core.state.withLock { state in
      state.isBusy = state.isBusy.map { _ in true }
      return state.open.compactMap(\.self)
    }
    let left = Atomic(open.count)
    for slot in open {
      core.options.assign { [core] in
        core.release(slot.number)
        left.subtract(1, ordering: .releasing)
      }
    }
    while left.load(ordering: .acquiring) > 0 { usleep(1_000) }
    core.cluster.close()
  }
}

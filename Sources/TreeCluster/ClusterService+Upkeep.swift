import Glibc
import Synchronization
package import TreeDomain
import TreeSessions
import TreeStorage

// The upkeep of the slots, on a thread of the process that serves no requests.
extension ClusterService {
  /// The maximum time that a start waits for its first slots, in milliseconds.
  private static let startMilliseconds = 10_000
  /// The time for which an instance alone tries to open its slots, in milliseconds.
  ///
  /// The last commit of the process before may still be under way, or the database may be slow.
  private static let trialMilliseconds = 30_000

  /// Begins to serve.
  ///
  /// Waits until this instance has opened the slots that it acquires now. If it works alone, these
  /// are all.
  ///
  /// - Throws: ``StorageError`` if an instance alone cannot open a slot, or another one has taken
  ///   over meanwhile.
  package func start() throws(StorageError) {
    try core.cluster.start(hear: { [core] in core.hear($0) }, lose: { [core] in core.dropAll() })
    let start = core.options.clock()
    while true {
      let (isDone, fault) = core.state.withLock { state in
        let isIdle = state.view != nil && !state.isBusy.contains(true)
        let isComplete = !core.cluster.isAlone || !state.open.contains { $0 == nil }
        return (isIdle && isComplete, state.faults.first?.value)
      }
      if isDone { return }
      let time = core.options.clock() - start
      if core.cluster.isAlone {
        if isOver { throw .failed("another instance has taken it over") }
        if let fault, !fault.isOfDisk || time > Self.trialMilliseconds { throw fault }
      } else if time > Self.startMilliseconds {
        return
      }
      usleep(1_000)
    }
  }

  /// True if this instance works alone and another one has taken over, so that it must end.
  package var isOver: Bool {
    guard core.cluster.isAlone else { return false }
    if core.isOver.load(ordering: .acquiring) { return true }
    return core.state.withLock { $0.open.contains { $0?.storage.isLost == true } }
  }

  /// True while the lease lasts, so that no other instance can have acquired this one's slots.
  package var isValid: Bool { core.cluster.isValid }

  /// Drops all slots, and ends their streams, if other instances may have them by now.
  ///
  /// Must be called about twice a second.
  package func dropOutdated() {
    guard !core.cluster.isAlone, core.cluster.isOverdue else { return }
    core.dropAll()
  }

  /// Runs the maintenance of each slot; see ``SessionStore/runMaintenance()``.
  package func runMaintenance() { for open in core.open { open.store.runMaintenance() } }

  /// True if unused data should be dropped to free memory.
  package var isMemoryTight: Bool { core.open.first?.store.isMemoryTight ?? false }

  /// Drops unused data of each slot while memory is tight.
  package func relieveMemory() { for open in core.open { open.store.relieveMemory() } }

  /// Makes ``readiness`` report the coming stop.
  package func drain() {
    core.isDraining.store(true, ordering: .releasing)
    for open in core.open { open.store.drain() }
  }

  /// Hands all slots over to other instances, while requests are still answered and forwarded.
  ///
  /// Does nothing if there are no others.
  ///
  /// - Parameter milliseconds: The maximum time to wait.
  package func handOver(withinMilliseconds milliseconds: Int) {
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

  /// True if another instance can acquire slots, because it has an address and is not leaving.
  private var hasHeirs: Bool {
    core.state.withLock { state in
      guard let view = state.view else { return false }
      return view.members.contains { $0.id != view.id && !$0.isLeaving && !$0.address.isEmpty }
    }
  }

  /// The maximum time that a stop waits for calls and unwritten changes, in milliseconds.
  ///
  /// No client waits for them any more, and the process has 2 s left at least.
  private static let stopMilliseconds = 1_000

  /// Writes everything, and releases all slots and the lease.
  ///
  /// Must be called after the last request is answered.
  package func stop() {
    core.isLeaving.store(true, ordering: .releasing)
    let open = core.state.withLock { state in
      state.isBusy = state.isBusy.map { _ in true }
      return state.open.compactMap(\.self)
    }
    let left = Atomic(open.count)
    for slot in open {
      core.options.assign { [core] in
        core.release(slot.number, withinMilliseconds: Self.stopMilliseconds)
        left.subtract(1, ordering: .releasing)
      }
    }
    while left.load(ordering: .acquiring) > 0 { usleep(1_000) }
    core.cluster.close()
  }
}

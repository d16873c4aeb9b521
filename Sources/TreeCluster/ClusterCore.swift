import Glibc
import Synchronization
import TreeDomain
import TreeSessions
import TreeStorage

/// The slots of this instance, and the addresses of the owners of the others.
final class ClusterCore: Sendable {
  struct State {
    var open: [OpenSlot?]
    /// True for slots that are being acquired or released.
    var isBusy: [Bool]
    /// The addresses of the owners of slots; nil if there is none, or it has no address.
    var addresses: [String?]
    /// The monotonic times in milliseconds when an instance last had a slot; nil if none did.
    var lastOwned: [Int?]
    /// The addresses of the other instances.
    var others: [String] = []
    var plan = SlotPlan()
    var view: ClusterView?
    var moved: [SessionID: Int]
    /// For each slot that could not be opened, the last error.
    var faults: [Int: StorageError] = [:]
    /// For each thread with an open group, the slots that take part in it; see ``join(_:)``.
    var groups: [UInt: [OpenSlot]] = [:]
    /// The slot that was given to the last new tree.
    var lastSlot = 0
  }

  let cluster: PostgreSQLCluster
  let options: ClusterOptions
  let state: Mutex<State>
  let isDraining = Atomic(false)
  let isLeaving = Atomic(false)
  /// The number of slots acquired so far.
  let acquired = Atomic(0)
  /// The number of slots handed over so far.
  let released = Atomic(0)
  /// The number of slots lost so far.
  let dropped = Atomic(0)
  /// True if this instance must end, because it works alone and another one has taken over.
  let isOver = Atomic(false)

  init(_ cluster: PostgreSQLCluster, _ options: ClusterOptions) throws(StorageError) {
    self.cluster = cluster
    self.options = options
    let count = cluster.slots.count
    state = Mutex(
      State(
        open: Array(repeating: nil, count: count),
        isBusy: Array(repeating: false, count: count),
        addresses: Array(repeating: nil, count: count),
        lastOwned: Array(repeating: nil, count: count),
        moved: try cluster.movedSessions()
      )
    )
  }

  // MARK: Finding slots

  func slot(of tree: TreeID) -> Int { cluster.slots.slot(of: tree.bytes) }

  func slot(of session: SessionID) -> Int {
    if let moved = state.withLock({ $0.moved.isEmpty ? nil : $0.moved[session] }) { return moved }
    return cluster.slots.slot(of: session.bytes)
  }

  /// Returns the slot of a session by the text of its id.
  ///
  /// The text may be malformed.
  func slot(ofSession text: [UInt8]) -> Int {
    SessionID(text[...]).map(slot) ?? cluster.slots.slot(of: text)
  }

  /// Returns the slot for a creation by its idempotency key, so that a retry gets the same slot.
  ///
  /// The name of the caller and a space may precede the key.
  func slot(ofToken token: [UInt8]) -> Int {
    cluster.slots.slot(of: token.split(separator: UInt8(ascii: " ")).last ?? [])
  }

  /// The slots that this instance serves.
  var open: [OpenSlot] {
    state.withLock { $0.open.compactMap(\.self) }.filter(\.isServing)
  }

  /// Returns a slot of this instance for a new tree or session; the slots take turns.
  func nextSlot() -> Int? {
    state.withLock { state in
      let count = state.open.count
      for step in 1...count {
        let slot = (state.lastSlot + step) % count
        guard state.open[slot]?.isServing == true else { continue }
        state.lastSlot = slot
        return slot
      }
      return nil
    }
  }

  /// Counts a call in a slot, and returns the slot.
  ///
  /// - Throws: `storage-failed` if the lease may be over; `overloaded` if the slot is not here.
  func enter(_ slot: Int) throws(ServiceError) -> OpenSlot {
    guard let open = state.withLock({ $0.open[slot] }) else { throw .notHere }
    guard open.storage.isOwner else { throw open.storage.isLost ? .notHere : .outOfReach }
    open.calls.add(1, ordering: .acquiringAndReleasing)
    // Counted before, so that a release that begins now waits for the call.
    guard !open.isClosing.load(ordering: .acquiring) else {
      open.calls.subtract(1, ordering: .acquiringAndReleasing)
      throw .notHere
    }
    return open
  }

  func leave(_ open: OpenSlot) { open.calls.subtract(1, ordering: .acquiringAndReleasing) }

  // MARK: Groups

  /// Begins a group of the calling thread.
  func beginGroup() { state.withLock { $0.groups[pthread_self()] = [] } }

  /// Adds a slot to the group of the calling thread, if the thread has one.
  func join(_ open: OpenSlot) {
    let isNew = state.withLock { state in
      guard let slots = state.groups[pthread_self()] else { return false }
      guard !slots.contains(where: { $0 === open }) else { return false }
      state.groups[pthread_self()]?.append(open)
      return true
    }
    if isNew { open.store.beginGroup() }
  }

  /// Ends the group of the calling thread.
  func endGroup() {
    let slots = state.withLock { $0.groups.removeValue(forKey: pthread_self()) }
    for open in slots ?? [] { open.store.endGroup() }
  }
}

extension ServiceError {
  /// The error for a tree whose slot this instance does not serve.
  static var notHere: ServiceError {
    ServiceError(.overloaded, "The tree is moving to another instance; try again soon.")
  }

  /// The error if the lease may be over, so that memory may be out of date.
  static var outOfReach: ServiceError {
    ServiceError(
      .storageFailed,
      """
      The database has not answered for some seconds, so what is in memory may be out of date; \
      try again after 1 s.
      """
    )
  }
}

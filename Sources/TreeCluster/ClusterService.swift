import Synchronization
package import TreeDomain
package import TreeSessions
package import TreeStorage

/// The service of an instance of a cluster: trees and sessions of the slots that it owns.
///
/// Each slot has a store of its own. A call is passed to the store of the slot that its tree or
/// session is in. It is refused if another instance has the slot, or may have it. This is checked
/// before the tree is read or changed, and again before an answer from memory is returned.
package final class ClusterService: TreeService {
  let core: ClusterCore
  private let attempt: Attempt?

  /// Creates the service of an instance.
  ///
  /// - Parameters:
  ///   - cluster: The instance. ``stop()`` closes it.
  ///   - options: Its functions and limits.
  /// - Throws: ``StorageError`` if the database cannot be read.
  package init(_ cluster: PostgreSQLCluster, _ options: ClusterOptions) throws(StorageError) {
    core = try ClusterCore(cluster, options)
    attempt = nil
  }

  private init(_ core: ClusterCore, _ attempt: Attempt) {
    self.core = core
    self.attempt = attempt
  }

  /// Returns a variant of the service for one attempt at a request.
  package func answering(_ attempt: Attempt) -> any TreeService { ClusterService(core, attempt) }

  /// The number of slots of all instances.
  package var slotCount: Int { core.cluster.slots.count }

  // MARK: Passing calls on

  /// Runs a call that only reads.
  func read<Result>(
    _ slot: Int,
    _ body: (any TreeService) throws(ServiceError) -> Result
  ) throws(ServiceError) -> Result {
    let open = try core.enter(slot)
    defer { core.leave(open) }
    let result = try body(service(of: open))
    // The process may have been stopped meanwhile, while another instance went on.
    guard open.storage.isOwner else { throw .outOfReach }
    return result
  }

  /// Runs a call that may change something.
  ///
  /// Its answer waits for a commit.
  func write<Result: Awaiting>(
    _ slot: Int,
    _ body: (SessionStore) throws(ServiceError) -> Result
  ) throws(ServiceError) -> Result {
    let open = try core.enter(slot)
    defer { core.leave(open) }
    core.join(open)
    let result = try body(service(of: open))
    // A commit checks that the slot is still owned. An answer without a commit needs this check.
    guard result.durability.receipt != nil || open.storage.isOwner else { throw .outOfReach }
    return result
  }

  /// Returns the store of a slot for this attempt at a request.
  func service(of open: OpenSlot) -> SessionStore {
    attempt.map { open.store.attempting($0) } ?? open.store
  }

  /// Returns the slot for a new tree or session.
  ///
  /// It is the slot of the tree's id, else that of the idempotency key, else any slot that this
  /// instance serves.
  func slot(ofNew tree: TreeID?, _ key: IdempotencyKey?) throws(ServiceError) -> Int {
    if let tree { return core.slot(of: tree) }
    if let key { return core.slot(ofToken: key.token) }
    guard let slot = core.nextSlot() else { throw .notHere }
    return slot
  }

  /// Returns the sum of a count over the slots of this instance, except for `slot`, which adds its
  /// own.
  func count(beside slot: Int? = nil, _ count: (OpenSlot) -> Int) -> Int {
    core.open.reduce(0) { $0 + ($1.number == slot ? 0 : count($1)) }
  }

  // MARK: Groups and numbers

  /// Begins a group of calls of this thread.
  package func beginGroup() { core.beginGroup() }

  /// Ends the group.
  package func endGroup() { core.endGroup() }

  /// The readiness of the instance, which can be ready without slots.
  package var readiness: Readiness {
    if core.isDraining.load(ordering: .acquiring) { return .unready(.shuttingDown) }
    guard core.cluster.isValid else { return .unready(.storageFailed) }
    for open in core.open {
      if case .unready(let reason) = open.store.readiness { return .unready(reason) }
    }
    return .ready
  }

  /// The statistics of the slots of this instance.
  package var statistics: ServiceStatistics {
    var sum = ServiceStatistics()
    for open in core.open { sum.add(open.store.statistics) }
    return sum
  }

  /// Returns the shared trees of this instance, sorted by id.
  package func trees(after: TreeID?, limit: Int) throws(ServiceError) -> TreePage {
    let open = core.open
    let pages = open.map { service(of: $0).trees(after: after, limit: limit) }
    // The process may have been stopped meanwhile, while another instance went on.
    guard open.allSatisfy(\.storage.isOwner) else { throw .outOfReach }
    // A slot whose page was cut has unknown trees behind it, so the merged page ends there.
    let end = pages.compactMap(\.next).min()
    var trees = pages.flatMap(\.trees).sorted { $0.tree < $1.tree }
    if let end { trees.removeAll { end < $0.tree } }
    let isCut = trees.count > limit || end != nil
    trees = Array(trees.prefix(limit))
    return TreePage(trees: trees, next: isCut ? trees.last?.tree : nil)
  }
}

/// The functions and limits of an instance.
package struct ClusterOptions: Sendable {
  /// Makes the store of an acquired slot.
  ///
  /// The number is the time in seconds since an instance had it; zero if none was seen.
  package var makeStore: @Sendable (PostgreSQLStorage, Int) throws(StorageError) -> SlotStore
  /// Runs work that waits for the database on a thread, several at a time.
  package var assign: SessionStore.Assignment
  /// Runs work on threads that may block for long, because the database may not answer.
  package var dispose: SessionStore.Assignment
  /// The limits of all slots together.
  package var limits: SessionLimits
  /// Returns a monotonic time in milliseconds.
  package var clock: @Sendable () -> Int
  /// Tells the operator that a generation began in a slot.
  package var tellGeneration: @Sendable (PostgreSQLStorage) -> Void
  /// Prints a sentence for the operator.
  package var say: @Sendable (String) -> Void

  /// Creates options.
  package init(
    makeStore: @escaping @Sendable (PostgreSQLStorage, Int) throws(StorageError) -> SlotStore,
    assign: @escaping SessionStore.Assignment,
    dispose: @escaping SessionStore.Assignment,
    limits: SessionLimits,
    clock: @escaping @Sendable () -> Int,
    tellGeneration: @escaping @Sendable (PostgreSQLStorage) -> Void,
    say: @escaping @Sendable (String) -> Void
  ) {
    self.makeStore = makeStore
    self.assign = assign
    self.dispose = dispose
    self.limits = limits
    self.clock = clock
    self.tellGeneration = tellGeneration
    self.say = say
  }
}

/// An answer that may wait for a commit.
protocol Awaiting {
  /// The commit that the answer waits for.
  var durability: Durability { get }
}

extension BatchAnswer: Awaiting {}
extension TreeBatchAnswer: Awaiting {}
extension Created: Awaiting {}
extension Ending: Awaiting {}

extension PatchAnswer: Awaiting {
  var durability: Durability { list.durability }
}

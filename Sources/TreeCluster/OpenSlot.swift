import Synchronization
public import TreeSessions
import TreeStorage

/// A slot that this instance serves.
final class OpenSlot: Sendable {
  let number: Int
  let storage: PostgreSQLStorage
  let store: SessionStore
  /// The number of calls that run in it.
  let calls = Atomic(0)
  /// True if it takes no further calls, as it is being released.
  let isClosing = Atomic(false)
  /// Ends the thread that commits.
  private let endWriter: @Sendable () -> Void

  init(_ storage: PostgreSQLStorage, _ made: SlotStore) {
    number = storage.slot
    self.storage = storage
    store = made.store
    endWriter = made.end
  }

  /// True if calls may be answered from memory.
  var isServing: Bool { storage.isOwner && !isClosing.load(ordering: .acquiring) }

  /// Ends it.
  ///
  /// Changes that wait to be written are lost, unless they were waited for.
  func end() {
    store.close()
    // Nothing waits for the database any more.
    storage.close()
    endWriter()
  }
}

/// The store of a slot, and the end of the thread that commits for it.
public struct SlotStore: Sendable {
  let store: SessionStore
  let end: @Sendable () -> Void

  /// Makes a pair of a store and a function that ends its thread.
  public init(store: SessionStore, end: @escaping @Sendable () -> Void) {
    self.store = store
    self.end = end
  }
}

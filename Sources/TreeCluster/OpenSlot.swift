import Synchronization
package import TreeSessions
import TreeStorage

/// A slot that this instance serves.
final class OpenSlot: Sendable {
  let number: Int
  let storage: PostgreSQLStorage
  let store: SessionStore
  /// The number of running calls.
  let calls = Atomic(0)
  /// True if no further calls are accepted, because the slot is being released.
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

  /// Closes the storage and ends the thread that commits.
  ///
  /// Changes that are not written yet are lost.
  func end() {
    store.close()
    // Nothing waits for the database any more.
    storage.close()
    endWriter()
  }
}

/// The store of a slot, and a function that ends the thread that commits for it.
package struct SlotStore: Sendable {
  let store: SessionStore
  let end: @Sendable () -> Void

  /// Creates a pair.
  package init(store: SessionStore, end: @escaping @Sendable () -> Void) {
    self.store = store
    self.end = end
  }
}

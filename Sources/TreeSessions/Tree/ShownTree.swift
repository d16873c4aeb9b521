import Synchronization
import TreeDomain

/// The description of a tree that is available without the lock of the tree.
final class ShownTree: Sendable {
  typealias Contents = (description: TreeDescription, durability: Durability)

  /// The lock is held briefly, and no lock of a tree or table is taken under it.
  private let shown: Mutex<Contents>
  private let isOld = Atomic(false)

  init(_ description: TreeDescription) { shown = Mutex((description, Durability())) }

  /// The description, and the durability of the last change that it shows.
  var contents: Contents { shown.withLock { $0 } }

  /// True while others may know a change that the description does not show yet.
  var isOutdated: Bool { isOld.load(ordering: .acquiring) }

  /// Marks the description as outdated, because others may now learn of a newer change.
  func outdate() { isOld.store(true, ordering: .releasing) }

  /// Sets the description of a tree that was read from storage.
  func set(_ description: TreeDescription) { shown.withLock { $0 = (description, Durability()) } }

  /// Brings the description up to date.
  func renew(by tree: borrowing TreeManager) {
    shown.withLock { shown in
      tree.renew(&shown.description)
      shown.durability = tree.pendingDurability
    }
    isOld.store(false, ordering: .releasing)
  }
}

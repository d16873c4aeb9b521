import Synchronization
import TreeDomain

/// The description of a tree that is available without the lock of the tree.
struct ShownTree: ~Copyable {
  typealias Contents = (description: TreeDescription, durability: Durability)

  private let shown: Mutex<Contents>

  init(_ description: TreeDescription) { shown = Mutex((description, Durability())) }

  /// The description, and the durability of the last change that it shows.
  var contents: Contents { shown.withLock { $0 } }

  /// Sets the description of a tree that was read from storage.
  func set(_ description: TreeDescription) { shown.withLock { $0 = (description, Durability()) } }

  /// Brings the description up to date.
  func renew(by tree: borrowing TreeManager) {
    shown.withLock { shown in
      tree.renew(&shown.description)
      shown.durability = tree.pendingDurability
    }
  }
}

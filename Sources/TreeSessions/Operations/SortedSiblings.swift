import TreeDomain
import TreeEngine

/// Which nodes' children are known to be sorted, and by what.
///
/// A sorted place is the one before the first sibling that compares greater; only where the
/// siblings are known to be sorted can it be found by halving. What is known survives everything
/// that keeps the order and is forgotten with anything else.
struct SortedSiblings: Sendable {
  private var orders: [NodeID: SortOrder] = [:]

  func isSorted(_ parent: NodeID, by order: SortOrder) -> Bool { orders[parent] == order }

  func order(of parent: NodeID) -> SortOrder? { orders.isEmpty ? nil : orders[parent] }

  mutating func know(_ parent: NodeID, by order: SortOrder) { orders[parent] = order }

  mutating func forget(_ parent: NodeID) {
    if !orders.isEmpty { orders[parent] = nil }
  }

  /// Follows the nodes to their new ids.
  mutating func renumber(_ new: NodeRenumbering) {
    var renumbered: [NodeID: SortOrder] = [:]
    for (parent, order) in orders {
      if let parent = new[parent] { renumbered[parent] = order }
    }
    orders = renumbered
  }

  /// Forgets everything, as when node ids may come to name others.
  mutating func forgetAll() {
    if !orders.isEmpty { orders = [:] }
  }
}

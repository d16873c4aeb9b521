import TreeDomain
import TreeEngine

/// The nodes whose children are known to be sorted, and by which order.
///
/// A sorted place is the one before the first sibling that compares greater. Only among sorted
/// siblings can it be found by halving. What is known survives everything that keeps the order, and
/// is forgotten with anything else. A rollback brings back what was known before.
struct SortedSiblings: Sendable {
  private var orders: [NodeID: SortOrder] = [:]
  /// The changes of the running transaction, in order, up to where it forgot everything.
  private var changes: [(parent: NodeID, former: SortOrder?)] = []
  /// All that was known before the running transaction, if that forgot everything.
  private var savepoint: [NodeID: SortOrder]?

  /// The bytes of what is known.
  ///
  /// - Complexity: O(1).
  var byteCount: Int { orders.byteCount }

  func isSorted(_ parent: NodeID, by order: SortOrder) -> Bool {
    !orders.isEmpty && orders[parent] == order
  }

  func order(of parent: NodeID) -> SortOrder? { orders.isEmpty ? nil : orders[parent] }

  mutating func know(_ parent: NodeID, by order: SortOrder) { set(parent, order) }

  mutating func forget(_ parent: NodeID) {
    if !orders.isEmpty { set(parent, nil) }
  }

  /// Forgets everything, as when node ids may come to name others.
  mutating func forgetAll() {
    guard !orders.isEmpty else { return }
    if savepoint == nil {
      var former = orders
      orders = [:]
      revert(changes, in: &former)
      savepoint = former
      changes = []
    }
    orders = [:]
  }

  private mutating func set(_ parent: NodeID, _ order: SortOrder?) {
    let former = orders[parent]
    guard former != order else { return }
    if savepoint == nil { changes.append((parent, former)) }
    orders[parent] = order
  }

  private func revert(
    _ changes: [(parent: NodeID, former: SortOrder?)],
    in orders: inout [NodeID: SortOrder]
  ) {
    for (parent, former) in changes.reversed() { orders[parent] = former }
  }

  // MARK: Transactions

  /// Begins a transaction.
  mutating func begin() {
    if !changes.isEmpty { changes = [] }
    savepoint = nil
  }

  /// Brings back what was known when the transaction began.
  ///
  /// - Complexity: O(changes).
  mutating func rollBack() {
    if let savepoint {
      orders = savepoint
    } else {
      revert(changes, in: &orders)
    }
    begin()
  }

  /// Follows the nodes to their new ids.
  mutating func renumber(_ new: NodeRenumbering) {
    var renumbered: [NodeID: SortOrder] = [:]
    for (parent, order) in orders {
      if let parent = new[parent] { renumbered[parent] = order }
    }
    orders = renumbered
    begin()
  }
}

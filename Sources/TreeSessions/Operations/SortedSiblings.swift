import TreeDomain
import TreeEngine

/// The nodes whose children are known to be sorted, with their orders.
///
/// The sorted place of a node is before the first sibling that is greater. A binary search finds it
/// only if the siblings are sorted. This knowledge survives changes that keep the order, and is
/// removed by all others. A rollback restores it.
struct SortedSiblings: Sendable {
  private var orders: [NodeID: SortOrder] = [:]
  /// The distinct orders, each of which is stored once, and their size in bytes.
  private var distinct: (orders: Set<SortOrder>, bytes: Int) = ([], 0)
  /// The changes of the running transaction, in order, up to the first ``forgetAll()``.
  private var changes: [(parent: NodeID, former: SortOrder?)] = []
  /// The knowledge before the running transaction, if the transaction called ``forgetAll()``.
  private var savepoint: [NodeID: SortOrder]?

  /// The memory in bytes.
  ///
  /// - Complexity: O(1).
  var byteCount: Int { orders.byteCount + distinct.bytes }

  func isSorted(_ parent: NodeID, by order: SortOrder) -> Bool {
    !orders.isEmpty && orders[parent] == order
  }

  func order(of parent: NodeID) -> SortOrder? { orders.isEmpty ? nil : orders[parent] }

  mutating func know(_ parent: NodeID, by order: SortOrder) { set(parent, order) }

  mutating func forget(_ parent: NodeID) {
    if !orders.isEmpty { set(parent, nil) }
  }

  /// Removes everything, for example because node ids may be reused.
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
    orders[parent] = order.map { shared($0) }
  }

  /// Returns the order that is stored for all that are equal to this one.
  private mutating func shared(_ order: SortOrder) -> SortOrder {
    let (isNew, shared) = distinct.orders.insert(order)
    if isNew { distinct.bytes += order.byteCount + 64 }
    return shared
  }

  /// Forgets distinct orders that no node has.
  private mutating func dropUnused() {
    guard distinct.orders.count > orders.count else { return }
    distinct.orders = Set(orders.values)
    distinct.bytes = distinct.orders.reduce(0) { $0 + $1.byteCount + 64 }
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
    dropUnused()
  }

  /// Restores the knowledge from the beginning of the transaction.
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

  /// Replaces node ids after renumbering.
  mutating func renumber(_ new: NodeRenumbering) {
    var renumbered: [NodeID: SortOrder] = [:]
    for (parent, order) in orders {
      if let parent = new[parent] { renumbered[parent] = order }
    }
    orders = renumbered
    begin()
  }
}

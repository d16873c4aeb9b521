import TreeDomain
import TreeEngine

/// The orders by which sessions sort siblings.
///
/// Sessions with the same descriptors share one ordering of the engine.
struct ViewOrderings {
  /// The orders, by the ids of the engine's orderings.
  private var orders: [OrderingID: SortOrder] = [:]
  /// The orders to restore on a rollback.
  private var savepoint: [OrderingID: SortOrder] = [:]

  /// The number of orderings.
  var count: Int { orders.count }

  /// Returns the ordering by some descriptors; nil if no session has it.
  func known(_ order: SortOrder) -> OrderingID? { orders.first { $0.value == order }?.key }

  /// Checks that the tree may have a further ordering.
  ///
  /// Each ordering makes changes of the data slower.
  ///
  /// - Throws: `overloaded`.
  func checkRoom(_ limits: SessionLimits) throws(ServiceError) {
    guard orders.count >= limits.maxViewSortsPerTree else { return }
    throw .overloaded(
      limit: limits.maxViewSortsPerTree,
      "The tree's sessions are sorted by as many different `viewSort` as they may; use one of"
        + " those, or none."
    )
  }

  /// Returns the ordering by some descriptors, which is made now if no session has it.
  ///
  /// - Throws: The errors of the meter.
  mutating func knownOrAdded(
    _ order: SortOrder,
    to tree: inout EngineTree,
    _ meter: WorkMeter
  ) throws(ServiceError) -> OrderingID {
    if let known = known(order) { return known }
    let added = try tree.sorting(by: order, meter) { tree, sorter, count throws(Interruption) in
      try tree.addOrdering(by: sorter, counting: count)
    }
    orders[added] = order
    return added
  }

  /// Adopts an ordering that was made on a copy of the tree.
  ///
  /// - Throws: The errors of the meter.
  mutating func adopt(
    _ ordering: PreparedOrdering<Fanout<64>>,
    by order: SortOrder,
    in tree: inout EngineTree,
    _ meter: WorkMeter
  ) throws(ServiceError) {
    let adopted = try tree.sorting(by: order, meter) { tree, sorter, count throws(Interruption) in
      try tree.adopt(ordering, by: sorter, counting: count)
    }
    orders[adopted] = order
  }

  /// Updates all orderings after the changes of the running transaction.
  ///
  /// - Throws: The errors of the meter. The caller must roll back then.
  func update(_ tree: inout EngineTree, _ meter: WorkMeter) throws(ServiceError) {
    guard !orders.isEmpty else { return }
    for (id, order) in orders {
      try tree.sorting(by: order, meter) { tree, sorter, count throws(Interruption) in
        try tree.update(id, by: sorter, counting: count)
      }
    }
  }

  /// Removes the orderings that no session has any more.
  mutating func removeUnused(from tree: inout EngineTree) {
    guard !orders.isEmpty else { return }
    for id in tree.removeUnusedOrderings() { orders[id] = nil }
  }

  /// Begins a transaction.
  mutating func begin() { savepoint = orders }

  /// Restores the orders from the beginning of the transaction.
  mutating func rollBack() { orders = savepoint }

  /// Takes over the savepoint of an earlier copy.
  mutating func setSavepoint(of other: ViewOrderings) { savepoint = other.savepoint }
}

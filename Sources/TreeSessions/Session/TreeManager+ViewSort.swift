import TreeDomain
import TreeEngine

// The orders of siblings that sessions have. Sessions with the same descriptors share one ordering.
extension TreeManager {
  /// Returns the ordering by some descriptors; nil if no session has it.
  func knownOrdering(_ order: SortOrder) -> OrderingID? {
    viewSorts.first { $0.value == order }?.key
  }

  /// Sets the order of siblings among a session's rows.
  ///
  /// - Throws: `overloaded` if the tree has too many orders, `content-too-large` as
  ///   ``checkUndo()``, and the errors of the meter.
  mutating func setViewSort(
    _ order: SortOrder,
    in session: OpenSession
  ) throws(ServiceError) {
    guard order != session.options.viewSort else { return }
    session.options.viewSort = order
    let ordering = order.isEmpty ? nil : try ordering(by: order)
    try counted { tree, count throws(Interruption) in
      try tree.setOrdering(ordering, in: session.view, counting: count)
    }
  }

  /// Returns the ordering by some descriptors, which is made now if no session has it.
  private mutating func ordering(by order: SortOrder) throws(ServiceError) -> OrderingID {
    if knownOrdering(order) == nil { try checkRoomForOrdering() }
    return try knownOrAdded(order, meter)
  }

  /// Checks that the tree may have a further ordering.
  ///
  /// Each ordering makes changes of the data slower.
  ///
  /// - Throws: `overloaded`.
  func checkRoomForOrdering() throws(ServiceError) {
    guard viewSorts.count >= limits.maxViewSortsPerTree else { return }
    throw .overloaded(
      limit: limits.maxViewSortsPerTree,
      "The tree's sessions are sorted by as many different `viewSort` as they may; use one of"
        + " those, or none."
    )
  }

  /// Updates all orderings after the changes of the running transaction.
  ///
  /// - Throws: The errors of the meter. The caller must roll back then.
  mutating func updateOrderings(_ meter: WorkMeter) throws(ServiceError) {
    guard !viewSorts.isEmpty else { return }
    for (id, order) in viewSorts {
      try sorting(by: order, meter) { tree, sorter, count throws(Interruption) in
        try tree.update(id, by: sorter, counting: count)
      }
    }
  }

  /// Removes the orderings that no session has any more.
  mutating func removeUnusedOrderings() {
    guard !viewSorts.isEmpty else { return }
    for id in tree.removeUnusedOrderings() { viewSorts[id] = nil }
  }

  /// Sorts the rows of a session that is restored from an image.
  mutating func restoreOrdering(of session: OpenSession) {
    let order = session.options.viewSort
    do throws(ServiceError) {
      let ordering = try knownOrAdded(order, meter.withoutStops())
      tree.restoreOrdering(ordering, in: session.view)
    } catch {
      preconditionFailure("a meter without stops throws nothing")
    }
  }

  private mutating func knownOrAdded(
    _ order: SortOrder,
    _ meter: WorkMeter
  ) throws(ServiceError) -> OrderingID {
    if let known = knownOrdering(order) { return known }
    let added = try sorting(by: order, meter) { tree, sorter, count throws(Interruption) in
      try tree.addOrdering(by: sorter, counting: count)
    }
    viewSorts[added] = order
    return added
  }

  /// Runs a step of the engine that sorts siblings by an order.
  ///
  /// - Throws: The errors of the meter.
  mutating func sorting<Value>(
    by order: SortOrder,
    _ meter: WorkMeter,
    _ step: (inout EngineTree, ViewSorter, EngineTree.StepCounter) throws(Interruption) -> Value
  ) throws(ServiceError) -> Value {
    let sorter = ViewSorter(order, counting: meter)
    return try meter.relay { () throws(Interruption) in
      try step(&tree, sorter) { steps throws(Interruption) in try meter.step(steps) }
    }
  }
}

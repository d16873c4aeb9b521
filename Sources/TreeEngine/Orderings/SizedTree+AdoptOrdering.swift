/// An ordering that was made on a fork of a tree.
public struct PreparedOrdering<Width: NodeWidth>: Sendable {
  let ordering: Ordering<Width>
}

// Nodes are sorted on a fork while the tree changes. Then only the nodes that changed meanwhile are
// placed in the tree's own ordering.
extension SizedTree {
  /// Returns an ordering that the running transaction has added; nil if it has not.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func preparedOrdering(_ id: OrderingID) -> PreparedOrdering<Width>? {
    guard let ordering = ordering(id), ordering.isNew else { return nil }
    return PreparedOrdering(ordering: ordering)
  }

  /// Adds an ordering that was made on a fork.
  ///
  /// - Parameters:
  ///   - prepared: The ordering, made since ``watchChanges()`` was called.
  ///   - sorter: Sorts siblings, as it did when the ordering was made.
  ///   - count: Counts the steps.
  /// - Returns: Its name.
  /// - Throws: The error of counting or sorting. The transaction must be rolled back then.
  /// - Precondition: ``canFollow(since:)``; the transaction has changed nothing yet.
  /// - Complexity: O(*k* log² *n*) for *k* nodes that were changed since.
  @specialized(where Width == Fanout<64>)
  public mutating func adopt(
    _ prepared: PreparedOrdering<Width>,
    by sorter: any SiblingSorter<Width>,
    counting count: StepCounter
  ) throws(Interruption) -> OrderingID {
    guard let changes = changeRecord?.changes else { preconditionFailure("nothing was recorded") }
    let id = add(prepared.ordering.named(OrderingID(number: orderingCount)))
    var doubtful = NodeSet()
    doubtful.insert(changes.touched.nodes)
    doubtful.insert(changes.moved)
    for parent in changes.arranged where parent == .forestRoot || forest.isAttached(parent) {
      try count(childCount(of: parent))
      forEachChild(of: parent) { node in
        doubtful.insert(node)
        return true
      }
    }
    try follow(changes, doubting: doubtful.nodes, at: place(of: id), sorter, count)
    return id
  }

  /// Puts the siblings of a view's rows in an order, between transactions.
  ///
  /// It is used for a view that had this order when an image of the tree was made.
  ///
  /// - Complexity: O(*n*).
  @specialized(where Width == Fanout<64>)
  public mutating func restoreOrdering(_ ordering: OrderingID, in id: ViewID) {
    precondition(transaction == nil, "a transaction is running")
    let slot = slot(of: id)
    var layering = watchers[slot].layering ?? Layering()
    layering.ordering = ordering
    let filter = layering.layer?.filter
    do throws(Interruption) {
      let (layer, _) = try makeLayer(layering, at: slot) { _ in
      } _: { _, node in
        filter?.isMatched(node) ?? true
      }
      layering.layer = layer
      layering.rowCountBefore = layer.rows.count
    } catch {
      preconditionFailure("nothing stopped the work")
    }
    watchers[slot].layering = layering
    layered.insert(slot)
    countMemory(at: slot)
  }
}

// A tree reuses ids, leaves and bytes that became unused, but frees them only by a compaction.
extension SizedTree {
  /// True if enough memory is unused to justify a ``compact()``.
  ///
  /// Its cost is amortised over the removals and replacements since the last compaction.
  ///
  /// - Complexity: O(1).
  public var wantsCompaction: Bool {
    @specialized(where Width == Fanout<64>)
    get { forest.wantsCompaction }
  }

  /// Frees the memory of removed nodes and replaced objects, and stores the nodes in pre-order.
  ///
  /// So neighbours in the tree are close in memory. All nodes get new ids. Views, their history and
  /// their ids stay.
  ///
  /// - Parameter pass: Counts the steps.
  /// - Returns: the new ids, for callers that store ids between transactions.
  /// - Precondition: no transaction is running.
  /// - Complexity: O(*n* + bytes), and O(size of views and history). Each part is rebuilt on its
  ///   own, so only the largest part is in memory twice.
  @specialized(where Width == Fanout<64>)
  @discardableResult
  public mutating func compact(passing pass: PauseCounter = { _ in }) -> NodeRenumbering {
    precondition(transaction == nil, "a transaction is running")
    // Old history of views may name removed nodes.
    sweepHistory()
    changeRecord = nil
    var limbo: [NodeID] = []
    for past in history.data.entries(after: history.oldest) { limbo += past.removed }
    let new = forest.compact(keeping: limbo, passing: pass)
    indexes.rebuild(of: forest)
    for place in orderings.indices {
      pass(forest.nodeCount)
      orderings[place].renumber(new, of: forest.records.count)
    }
    history.data.updateEach { past in
      pass(1 + past.weight)
      past.renumber(new)
    }
    for slot in watchers.indices where !watchers[slot].view.isVacant {
      let rows = watchers[slot].layering?.layer?.rows.count ?? 0
      pass(1 + Int(rows) + watchers[slot].history.log.weight + watchers[slot].selected.count)
      history.subtract(watchers[slot].history)
      watchers[slot].renumber(new)
      history.add(watchers[slot].history)
      countMemory(at: slot)
    }
    return new
  }
}

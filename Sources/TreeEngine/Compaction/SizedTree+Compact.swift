// What a tree has once held takes room until it is compacted: ids, leaves and bytes that nobody
// uses are used again, but not given back.
extension SizedTree {
  /// Whether so much of what is held is in no use that giving it back is worth a ``compact()``.
  ///
  /// That is paid for by what was removed and replaced since the last one.
  ///
  /// - Complexity: O(1).
  public var wantsCompaction: Bool {
    @specialized(where Width == Fanout<64>)
    get { forest.wantsCompaction }
  }

  /// Gives back what removed nodes and replaced objects have left, and lays the nodes out anew in
  /// pre-order, so that neighbours are neighbours in memory.
  ///
  /// All nodes get other ids; views, what they remember, and their names stay.
  ///
  /// - Returns: the new ids, for whoever keeps some between transactions.
  /// - Precondition: no transaction is running.
  /// - Complexity: O(*n* + bytes), and O(what views and history hold). Each part is rebuilt by
  ///   itself, so that the largest one is there twice for a while, and not all.
  @specialized(where Width == Fanout<64>)
  @discardableResult
  public mutating func compact() -> NodeRenumbering {
    precondition(transaction == nil, "a transaction is running")
    // What views remember of longer ago may name nodes that are gone.
    sweepHistory()
    changeRecord = nil
    var limbo: [NodeID] = []
    for past in history.data.entries(after: history.oldest) { limbo += past.removed }
    let new = forest.compact(keeping: limbo)
    indexes.rebuild(of: forest)
    history.data.updateEach { $0.renumber(new) }
    for slot in watchers.indices where !watchers[slot].view.isVacant {
      history.subtract(watchers[slot].history)
      watchers[slot].renumber(new)
      history.add(watchers[slot].history)
      countMemory(at: slot)
    }
    return new
  }
}

/// A transaction that is set aside while others are committed beneath it.
struct TransactionAside<Width: NodeWidth>: Sendable {
  var transaction: Transaction<Width>
  /// The changes of views, by slot.
  var views: [Int: ViewChanges<Width>] = [:]
  let impact: TransactionImpact

  /// Adapts the transaction to another one, which comes before it.
  ///
  /// - Parameters:
  ///   - done: The other transaction, as it was replayed.
  ///   - record: Its record in the tree itself.
  ///   - history: The commits before it.
  ///   - base: The nodes and views with its changes.
  /// - Returns: False if it has other effects on views than recorded, or if its rows cannot be
  ///   inserted before the changes of this transaction.
  mutating func carry(
    over done: Transaction<Width>,
    as record: CommitRecord<Width>,
    _ history: TreeHistory,
    in base: borrowing ViewedForest<Width>
  ) -> Bool {
    let isMoving = done.showsOldNodes
    for slot in base.slots(concernedBy: done.reach) where !base.watchers[slot].view.isVacant {
      let past = history.pastView(at: slot, of: done, in: base)
      guard let recorded = record.views[slot] else {
        if past.isEmpty { continue }
        return false
      }
      let runs = past.rowRuns
      let isHashed = isMoving || base.watchers[slot].isLayered
      let isSame =
        (!isHashed || base.hash(of: runs, inViewAt: slot) == recorded.came)
        && past.marks.count == recorded.past.marks.count
        && views[slot]?.carry(over: recorded.past.rowRuns, runs) == true
      guard isSame else { return false }
    }
    for node in done.readings.keys.nodes {
      let now = NodeReading(of: node, in: base.forest)
      transaction.readings.update(node) { $0.object = now.object }
    }
    return true
  }
}

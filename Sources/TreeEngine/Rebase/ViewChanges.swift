/// The changes of a view in a transaction that is set aside; see ``Watcher``.
struct ViewChanges<Width: NodeWidth>: Sendable {
  var rowCountBefore: Int32 = 0
  var splices = FewSplices<Width>()
  var delta: RowDelta<Width>?
  var removedAtMost: Int32 = 0
  var toggledBefore: [NodeID: Bool] = [:]
  var selectedBefore: [NodeID: Bool] = [:]
  var viewBefore: View<Width>?
  var expanded: [NodeID] = []
  var expandedUnloaded: [NodeID] = []
  var isTouched = false

  /// True if rows came or went.
  private var hasRows: Bool { !splices.isEmpty || delta != nil }

  /// Adapts the changes of the rows to a commit that comes before them.
  ///
  /// The commit inserts and deletes the same rows with and without these changes, at other indexes.
  ///
  /// - Parameters:
  ///   - commit: The effect of the commit without these changes.
  ///   - shifted: Its effect after these changes.
  /// - Returns: False if the commit has another effect after these changes, or changes a view whose
  ///   rule was set.
  /// - Complexity: O(*k* log *m*) for *k* and *m* runs.
  mutating func carry(
    over commit: PastView<Width>,
    _ shifted: PastView<Width>
  ) -> Bool {
    let (now, then) = (commit.rowRuns, shifted.rowRuns)
    guard now.count == then.count else { return false }
    if now.isEmpty { return true }
    guard viewBefore == nil else { return false }
    for (now, then) in zip(now, then) where now.kind != then.kind || now.count != then.count {
      return false
    }
    let change = now.reduce(0) { $0 + ($1.kind == .inserted ? $1.count : -$1.count) }
    guard hasRows else {
      rowCountBefore += change
      return zip(now, then).allSatisfy { $0.index == $1.index }
    }
    var delta = self.delta ?? RowDelta(rowCount: rowCountBefore)
    self.delta = nil
    delta.apply(splices)
    splices.removeAll()
    // From the last run to the first, so that the indexes of the others stay.
    for (now, then) in zip(now, then).reversed() {
      let isDone =
        now.kind == .inserted
        ? delta.addRetained(now.count, at: now.index, then.index)
        : delta.removeRetained(now.count, at: now.index, then.index)
      guard isDone else { return false }
    }
    rowCountBefore += change
    self.delta = delta
    return true
  }
}

extension PastView {
  /// The deleted and inserted rows, with the index before the commit at which they begin.
  fileprivate var rowRuns: [(kind: RowDelta<Width>.Kind, count: Int32, index: Int32)] {
    guard hasRows else { return [] }
    var delta = RowDelta<Width>(rowCount: rowCountBefore)
    replay(onto: &delta)
    var runs: [(kind: RowDelta<Width>.Kind, count: Int32, index: Int32)] = []
    delta.forEach { run, index, _ in
      if run.kind != .retained { runs.append((run.kind, run.count, index)) }
    }
    return runs
  }
}

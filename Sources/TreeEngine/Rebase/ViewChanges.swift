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
  /// The changes of the matches, and the steps they are of; nil without filter and order.
  ///
  /// The changes of the rows are those of the layer then.
  var layer: (matchedBefore: [NodeID: Bool], updatedSteps: Int)?

  /// True if rows came or went.
  private var hasRows: Bool { !splices.isEmpty || delta != nil }

  /// Adapts the changes of the rows to a commit that comes before them.
  ///
  /// The commit inserts and deletes the same rows with and without these changes, at other indexes.
  ///
  /// - Parameters:
  ///   - now: The effect of the commit without these changes.
  ///   - then: Its effect after these changes.
  /// - Returns: False if the commit has another effect after these changes, or changes a view whose
  ///   rule was set.
  /// - Complexity: O(*k* log *m*) for *k* and *m* runs.
  mutating func carry(
    over now: [RowRun<Width>],
    _ then: [RowRun<Width>]
  ) -> Bool {
    if now.isEmpty, then.isEmpty { return true }
    guard viewBefore == nil, let pairs = Self.pairs(now, then) else { return false }
    let change = now.reduce(0) { $0 + ($1.kind == .inserted ? $1.count : -$1.count) }
    guard hasRows else {
      rowCountBefore += change
      return pairs.allSatisfy { $0.now.index == $0.then.index }
    }
    var delta = self.delta ?? RowDelta(rowCount: rowCountBefore)
    self.delta = nil
    delta.apply(splices)
    splices.removeAll()
    // From the last run to the first, so that the indexes of the others stay.
    for (now, then) in pairs.reversed() {
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

  /// Divides runs into pairs with the same rows; returns nil if they have others.
  ///
  /// Rows side by side in one of the effects may be apart in the other.
  private static func pairs(
    _ now: [RowRun<Width>],
    _ then: [RowRun<Width>]
  ) -> [(now: RowRun<Width>, then: RowRun<Width>)]? {
    var pairs: [(now: RowRun<Width>, then: RowRun<Width>)] = []
    var (nows, thens) = (now[...], then[...])
    while let now = nows.first, let then = thens.first {
      guard now.kind == then.kind else { return nil }
      let count = min(now.count, then.count)
      pairs.append((nows.take(count), thens.take(count)))
    }
    return nows.isEmpty && thens.isEmpty ? pairs : nil
  }
}

extension ArraySlice {
  /// Removes and returns rows from the first run, which has at least as many.
  fileprivate mutating func take<Width>(_ count: Int32) -> Element where Element == RowRun<Width> {
    var taken = self[startIndex]
    if taken.count == count {
      removeFirst()
    } else {
      self[startIndex].skip(count)
      taken.count = count
    }
    return taken
  }
}

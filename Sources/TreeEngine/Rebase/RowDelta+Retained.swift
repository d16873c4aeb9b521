// Adds and removes rows that exist both before and after a difference.
extension RowDelta {
  /// Adds rows that exist before and after.
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - index: The former index of the first row.
  ///   - newIndex: Its new index.
  /// - Returns: False if other rows would have to move for that. Nothing has changed then.
  /// - Complexity: O(log *k* + *d*) for *d* deleted runs at this place.
  mutating func addRetained(_ count: Int32, at index: Int32, _ newIndex: Int32) -> Bool {
    makeRuns()
    setChanging(true)
    defer { setChanging(false) }
    var next: Runs.Cursor? =
      newIndex == 0 ? runs.first(in: root) : runs.last(in: root, startingAtOrBefore: newIndex - 1)
    while let cursor = next, cursor.prefix.count <= newIndex {
      let offset = (before: index - cursor.prefix.sum, after: newIndex - cursor.prefix.count)
      if add(count, at: cursor, offset) {
        rowCountBefore += count
        return true
      }
      next = runs.next(cursor)
    }
    return false
  }

  /// Adds retained rows in or beside a run, if the offsets from its start fit.
  private mutating func add(
    _ count: Int32,
    at cursor: Runs.Cursor,
    _ offset: (before: Int32, after: Int32)
  ) -> Bool {
    let run = runs.item(cursor)
    let skipped: Int32
    switch run.kind {
    case .retained:
      guard offset.before == offset.after, 0...run.count ~= offset.after else { return false }
      // The first run stays empty.
      if run.count > 0 {
        resize(at: cursor, to: run.count + count)
        return true
      }
      skipped = 0
    case .inserted:
      guard offset.before == 0, 0...run.count ~= offset.after else { return false }
      skipped = offset.after
    case .deleted:
      guard offset.after == 0, 0...run.count ~= offset.before else { return false }
      skipped = offset.before
    }
    let rows = Run(kind: .retained, count: count)
    let (leaf, slot) = (cursor.leaf, cursor.slot)
    if skipped == run.count {
      runs.insert(rows, leaf: leaf, slot: slot + 1, root: &root)
    } else if skipped == 0 {
      runs.insert(rows, leaf: leaf, slot: slot, root: &root)
    } else {
      // Both halves of an unlisted move must have the same size.
      guard !run.isMoveHalf else { return false }
      var rest = run
      rest.count = run.count - skipped
      if run.list >= 0 { rest.list = run.list + skipped }
      runs[leaf, slot].count = skipped
      runs.insert(rows, followedBy: rest, leaf: leaf, slot: slot + 1, root: &root)
    }
    return true
  }

  /// Removes rows that exist before and after.
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - index: The former index of the first row.
  ///   - newIndex: Its new index.
  /// - Returns: False if not all of them are retained. The delta must be discarded then.
  /// - Complexity: O(log *k*) for each run concerned.
  mutating func removeRetained(_ count: Int32, at index: Int32, _ newIndex: Int32) -> Bool {
    makeRuns()
    setChanging(true)
    defer { setChanging(false) }
    var rest = count
    while rest > 0 {
      let cursor = runs.last(in: root, startingAtOrBefore: newIndex)
      let run = runs.item(cursor)
      let skipped = newIndex - cursor.prefix.count
      let taken = min(run.count - skipped, rest)
      guard run.kind == .retained, taken > 0, cursor.prefix.sum + skipped == index else {
        return false
      }
      resize(at: cursor, to: run.count - taken)
      rest -= taken
    }
    rowCountBefore -= count
    joinInsertions(at: newIndex)
    return true
  }

  /// Joins two runs of inserted rows that have become neighbours.
  private mutating func joinInsertions(at newIndex: Int32) {
    guard newIndex > 0 else { return }
    let first = runs.last(in: root, startingAtOrBefore: newIndex - 1)
    guard runs.item(first).kind == .inserted, !runs.item(first).isMoveHalf,
      let second = runs.next(first), runs.item(second).kind == .inserted,
      !runs.item(second).isMoveHalf
    else { return }
    let count = runs.item(first).count + runs.item(second).count
    resize(at: second, to: 0)
    resize(at: runs.last(in: root, startingAtOrBefore: newIndex - 1), to: count)
  }
}

// Cutting and pasting, together with everything that depends on the forest: level indexes, views,
// and the row deltas of a running transaction.
extension TreeEditor {
  /// The reason why a subtree is cut out.
  enum CutReason {
    case removal, move, arranging
  }

  /// Records that the rows of subtrees that are side by side will be deleted.
  ///
  /// The record is made before anything is cut. A rollback of the transaction discards it.
  ///
  /// - Throws: The error that `count` throws. `count` also gets the steps of the cut that follows.
  mutating func willCut(
    _ stretch: Forest<Width>.Stretch,
    _ reason: CutReason,
    _ count: StepCounter
  ) throws(Interruption) {
    transaction?.reach.extendToEveryView()
    let (place, end) = (stretch.first, stretch.end)
    var stretches = RuleStretches<Width>(from: place.position, to: end, depth: place.depth)
    var lists = SharedLists<Width>(first: place, count: end - place.position)
    for slot in base.watchers.indices where !base.watchers[slot].view.isVacant {
      let entries = stretches.stretch(
        under: base.watchers[slot].view.rule,
        in: base.forest,
        base.indexes
      )
      let toggled = min(base.watchers[slot].view.toggles.count, Int(end - place.position))
      try count(2 + toggled)
      try recordCut(entries, &lists, inViewAt: slot, reason, count)
    }
  }

  /// Cuts out subtrees that are side by side.
  ///
  /// - Returns: The subtrees, and the toggled nodes in them by view.
  mutating func cut(
    _ stretch: Forest<Width>.Stretch
  ) -> (cutting: Forest<Width>.Cutting, toggled: [Transaction<Width>.Untoggled]) {
    let (place, end) = (stretch.first, stretch.end)
    var toggled: [Transaction<Width>.Untoggled] = []
    var stretches = RuleStretches<Width>(from: place.position, to: end, depth: place.depth)
    for slot in base.watchers.indices where !base.watchers[slot].view.isVacant {
      let entries = stretches.stretch(
        under: base.watchers[slot].view.rule,
        in: base.forest,
        base.indexes
      )
      let shown = base.watchers[slot].view.willCut(entries, in: base.forest, base.indexes)
      var aside: [NodeID] = []
      if let rule = base.watchers[slot].asideRule {
        let entries = stretches.stretch(under: rule, in: base.forest, base.indexes)
        aside = base.watchers[slot].aside?.willCut(entries, in: base.forest, base.indexes) ?? []
      }
      if shown.isEmpty, aside.isEmpty { continue }
      toggled.append(Transaction.Untoggled(slot: slot, shown: shown, aside: aside))
    }
    let cutting = base.forest.cut(stretch)
    base.indexes.follow(from: place.position, to: place.position, in: base.forest)
    return (cutting, toggled)
  }

  /// Pastes a subtree that was cut out, at an index among the children of a node.
  mutating func paste(
    _ cutting: Forest<Width>.Cutting,
    under parent: NodeID,
    at index: Int,
    toggled: [Transaction<Width>.Untoggled],
    isMove: Bool = false
  ) {
    let opening = base.forest.opening(under: parent, at: index)
    base.forest.paste(cutting, at: opening)
    didLink(at: opening, count: cutting.size, toggled: toggled, isMove: isMove)
  }

  /// Updates indexes and views after entries were linked side by side.
  mutating func didLink(
    at opening: Forest<Width>.Opening,
    count: Int32,
    toggled: [Transaction<Width>.Untoggled],
    isMove: Bool = false
  ) {
    base.indexes.follow(from: opening.position, to: opening.position + count, in: base.forest)
    var toggled = toggled[...]
    var stretches = RuleStretches<Width>(
      from: opening.position,
      to: opening.position + count,
      depth: opening.depth
    )
    for slot in base.watchers.indices where !base.watchers[slot].view.isVacant {
      let entries = stretches.stretch(
        under: base.watchers[slot].view.rule,
        in: base.forest,
        base.indexes
      )
      var rows = base.watchers[slot].view.didPaste(entries, in: base.forest, base.indexes)
      if let rule = base.watchers[slot].asideRule {
        let entries = stretches.stretch(under: rule, in: base.forest, base.indexes)
        base.watchers[slot].aside?.didPaste(entries, in: base.forest, base.indexes)
      }
      if toggled.first?.slot == slot, let again = toggled.popFirst() {
        for node in again.shown {
          base.watchers[slot].view.toggle(node, in: base.forest, base.indexes)
        }
        for node in again.aside {
          base.watchers[slot].aside?.toggle(node, in: base.forest, base.indexes)
        }
        transaction?.retoggledCount += again.shown.count + again.aside.count
        rows = base.watchers[slot].rows(of: entries, in: base.forest, base.indexes)
      }
      if let rows { recordPaste(rows, inViewAt: slot, isMove: isMove) }
    }
  }

  private mutating func recordCut(
    _ entries: RuleStretch,
    _ lists: inout SharedLists<Width>,
    inViewAt slot: Int,
    _ reason: CutReason,
    _ count: StepCounter
  ) throws(Interruption) {
    guard transaction != nil,
      let (row, rowCount) = base.watchers[slot].rows(of: entries, in: base.forest, base.indexes)
    else { return }
    let rows = row..<(row + rowCount)
    switch reason {
    case .removal:
      try recordRemoval(of: rows, &lists, isTop: entries.depth == 1, inViewAt: slot, count)
    case .move where isUnlistedMove(of: rowCount, inViewAt: slot):
      var splice = RowSplice<Width>(row: row, count: rowCount, isDeletion: true)
      splice.cause = .unlistedMove
      recordRows(inViewAt: slot, splice)
    case .move, .arranging:
      try count(lists[rowCount] == nil ? rows.count : 0)
      recordDeletion(of: rows, &lists, inViewAt: slot)
    }
  }

  /// Records the deletion of rows that may return.
  mutating func recordDeletion(
    of rows: Range<Int32>,
    _ lists: inout SharedLists<Width>,
    inViewAt slot: Int
  ) {
    let parts = base.watchers[slot].partsBefore(of: rows)
    recordDeletion(of: rows, listing: parts, &lists, cause: .other, inViewAt: slot)
  }

  /// Records the deletion of rows whose nodes are removed.
  private mutating func recordRemoval(
    of rows: Range<Int32>,
    _ lists: inout SharedLists<Width>,
    isTop: Bool,
    inViewAt slot: Int,
    _ count: StepCounter
  ) throws(Interruption) {
    guard let limit = transaction?.removedLimit else { return }
    var parts = base.watchers[slot].partsToList(ofRemoved: rows, limit: limit)
    try count(parts.reduce(0) { $0 + (lists[Int32($1.count)] == nil ? $1.count : 1) })
    let first = rows.lowerBound..<(rows.lowerBound + 1)
    if isTop, !rows.isEmpty, parts.first?.contains(first.lowerBound) != true {
      parts.insert(first, at: 0)
    }
    recordDeletion(of: rows, listing: parts, &lists, cause: .removal, inViewAt: slot)
  }

  /// Records the deletion of rows, from the last to the first, with lists of the rows in `parts`.
  private mutating func recordDeletion(
    of rows: Range<Int32>,
    listing parts: [Range<Int32>],
    _ lists: inout SharedLists<Width>,
    cause: RowSplice<Width>.Cause,
    inViewAt slot: Int
  ) {
    var end = rows.upperBound
    for part in parts.reversed() {
      let listed = listedRows(part, of: rows, &lists, inViewAt: slot)
      recordRows(inViewAt: slot, .deletion(of: part.upperBound..<end, listed: nil, cause))
      recordRows(inViewAt: slot, .deletion(of: part, listed: listed, cause))
      end = part.lowerBound
    }
    recordRows(inViewAt: slot, .deletion(of: rows.lowerBound..<end, listed: nil, cause))
  }

  private mutating func listedRows(
    _ part: Range<Int32>,
    of rows: Range<Int32>,
    _ lists: inout SharedLists<Width>,
    inViewAt slot: Int
  ) -> [RowDelta<Width>.Listed] {
    guard part.lowerBound == rows.lowerBound else {
      transaction?.recordListed(part.count)
      return base.watchers[slot].listedRows(part, in: base.forest, base.indexes)
    }
    return sharedRows(Int32(part.count), &lists, inViewAt: slot)
  }

  /// Returns the first `count` deleted rows, from the shared lists if they are there.
  private mutating func sharedRows(
    _ count: Int32,
    _ lists: inout SharedLists<Width>,
    inViewAt slot: Int
  ) -> [RowDelta<Width>.Listed] {
    if let rows = lists[count] { return rows }
    transaction?.recordListed(Int(count))
    let rows = base.watchers[slot].listedRows(from: lists.first, count: count, in: base.forest)
    lists[count] = rows
    return rows
  }

  /// Records deleted or inserted rows, and the memory of the record.
  mutating func recordRows(inViewAt slot: Int, _ splice: RowSplice<Width>) {
    let copied = base.watchers[slot].record(splice)
    if copied > 0 { transaction?.recordListed(copied) }
  }

  private mutating func recordPaste(
    _ rows: (row: Int32, count: Int32),
    inViewAt slot: Int,
    isMove: Bool
  ) {
    guard transaction != nil else { return }
    var splice = RowSplice<Width>(row: rows.row, count: rows.count, isDeletion: false)
    if isMove, isUnlistedMove(of: rows.count, inViewAt: slot) { splice.cause = .unlistedMove }
    recordRows(inViewAt: slot, splice)
  }

  /// Returns true if the rows of a moved subtree are not listed.
  ///
  /// The move must not change which nodes of the subtree are rows. A rule of levels does not ensure
  /// this, because the depth can change.
  private func isUnlistedMove(of count: Int32, inViewAt slot: Int) -> Bool {
    guard let limit = transaction?.listLimit, !needsIndex(slot) else { return false }
    return Int(count) > base.watchers[slot].listLimit(limit)
  }

  private func needsIndex(_ slot: Int) -> Bool {
    LevelIndexes<Width>.isNeeded(for: base.watchers[slot].view.rule)
  }
}

/// The deleted rows of a stretch, listed once for all views that show the same rows of it.
struct SharedLists<Width: NodeWidth> {
  /// The first entry of the stretch.
  let first: Forest<Width>.Place
  /// The number of entries.
  let count: Int32
  private var one: [RowDelta<Width>.Listed]?
  private var all: [RowDelta<Width>.Listed]?

  init(first: Forest<Width>.Place, count: Int32) {
    (self.first, self.count) = (first, count)
  }

  /// The rows of a view that shows `count` of the entries; nil if they are not listed yet.
  ///
  /// Only lists of one row and of all entries are shared.
  subscript(count: Int32) -> [RowDelta<Width>.Listed]? {
    get { count == 1 ? one : count == self.count ? all : nil }
    set {
      if count == 1 { one = newValue }
      if count == self.count { all = newValue }
    }
  }
}

// Cutting and pasting with everything that follows the forest: level indexes, views, and the row
// deltas of a running transaction.
extension SizedTree {
  /// Why a subtree is cut out.
  enum CutReason {
    case removal, move, arranging
  }

  /// Records that the rows of a subtree, or of several that stand side by side, are about to go.
  ///
  /// A rollback of the transaction discards the record, even if nothing is cut.
  ///
  /// - Throws: What counting throws, also for the cut that follows.
  mutating func willCut(
    _ stretch: Forest<Width>.Stretch,
    _ reason: CutReason,
    _ count: StepCounter
  ) throws(Interruption) {
    transaction?.reach.extendToEveryView()
    let (place, end) = (stretch.first, stretch.end)
    var stretches = RuleStretches<Width>(from: place.position, to: end, depth: place.depth)
    var lists = SharedLists<Width>(first: place, count: end - place.position)
    for slot in watchers.indices where !watchers[slot].view.isVacant {
      let entries = stretches.stretch(under: watchers[slot].view.rule, in: forest, indexes)
      let toggled = min(watchers[slot].view.toggles.count, Int(end - place.position))
      try count(2 + toggled)
      try recordCut(entries, &lists, inViewAt: slot, reason, count)
    }
  }

  /// Cuts out a subtree, or several that stand side by side.
  ///
  /// - Returns: the subtree, and what was toggled in it, by view.
  mutating func cut(
    _ stretch: Forest<Width>.Stretch
  ) -> (cutting: Forest<Width>.Cutting, toggled: [Transaction<Width>.Untoggled]) {
    let (place, end) = (stretch.first, stretch.end)
    var toggled: [Transaction<Width>.Untoggled] = []
    var stretches = RuleStretches<Width>(from: place.position, to: end, depth: place.depth)
    for slot in watchers.indices where !watchers[slot].view.isVacant {
      let entries = stretches.stretch(under: watchers[slot].view.rule, in: forest, indexes)
      let shown = watchers[slot].view.willCut(entries, in: forest, indexes)
      var aside: [NodeID] = []
      if let rule = watchers[slot].asideRule {
        let entries = stretches.stretch(under: rule, in: forest, indexes)
        aside = watchers[slot].aside?.willCut(entries, in: forest, indexes) ?? []
      }
      if shown.isEmpty, aside.isEmpty { continue }
      toggled.append(Transaction.Untoggled(slot: slot, shown: shown, aside: aside))
    }
    let cutting = forest.cut(stretch)
    indexes.follow(from: place.position, to: place.position, in: forest)
    return (cutting, toggled)
  }

  /// Pastes a subtree as the `index`-th child of a node.
  mutating func paste(
    _ cutting: Forest<Width>.Cutting,
    under parent: NodeID,
    at index: Int,
    toggled: [Transaction<Width>.Untoggled],
    isMove: Bool = false
  ) {
    let opening = forest.opening(under: parent, at: index)
    forest.paste(cutting, at: opening)
    didLink(at: opening, count: cutting.size, toggled: toggled, isMove: isMove)
  }

  /// Lets indexes and views follow so many entries that have just been linked side by side.
  mutating func didLink(
    at opening: Forest<Width>.Opening,
    count: Int32,
    toggled: [Transaction<Width>.Untoggled],
    isMove: Bool = false
  ) {
    indexes.follow(from: opening.position, to: opening.position + count, in: forest)
    var toggled = toggled[...]
    var stretches = RuleStretches<Width>(
      from: opening.position,
      to: opening.position + count,
      depth: opening.depth
    )
    for slot in watchers.indices where !watchers[slot].view.isVacant {
      let entries = stretches.stretch(under: watchers[slot].view.rule, in: forest, indexes)
      var rows = watchers[slot].view.didPaste(entries, in: forest, indexes)
      if let rule = watchers[slot].asideRule {
        let entries = stretches.stretch(under: rule, in: forest, indexes)
        watchers[slot].aside?.didPaste(entries, in: forest, indexes)
      }
      if toggled.first?.slot == slot, let again = toggled.popFirst() {
        for node in again.shown { watchers[slot].view.toggle(node, in: forest, indexes) }
        for node in again.aside { watchers[slot].aside?.toggle(node, in: forest, indexes) }
        transaction?.retoggledCount += again.shown.count + again.aside.count
        rows = watchers[slot].rows(of: entries, in: forest, indexes)
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
      let (row, rowCount) = watchers[slot].rows(of: entries, in: forest, indexes)
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

  /// Records that rows go which may come back.
  mutating func recordDeletion(
    of rows: Range<Int32>,
    _ lists: inout SharedLists<Width>,
    inViewAt slot: Int
  ) {
    let parts = watchers[slot].partsBefore(of: rows)
    recordDeletion(of: rows, listing: parts, &lists, cause: .other, inViewAt: slot)
  }

  /// Records that rows go whose nodes are removed, from the last to the first.
  private mutating func recordRemoval(
    of rows: Range<Int32>,
    _ lists: inout SharedLists<Width>,
    isTop: Bool,
    inViewAt slot: Int,
    _ count: StepCounter
  ) throws(Interruption) {
    guard let limit = transaction?.removedLimit else { return }
    var parts = watchers[slot].partsToList(ofRemoved: rows, limit: limit)
    try count(parts.reduce(0) { $0 + (lists[Int32($1.count)] == nil ? $1.count : 1) })
    let first = rows.lowerBound..<(rows.lowerBound + 1)
    if isTop, !rows.isEmpty, parts.first?.contains(first.lowerBound) != true {
      parts.insert(first, at: 0)
    }
    recordDeletion(of: rows, listing: parts, &lists, cause: .removal, inViewAt: slot)
  }

  /// Records that rows go, of which some parts are listed; from the last to the first.
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
      transaction?.noteListed(part.count)
      return watchers[slot].listedRows(part, in: forest, indexes)
    }
    return sharedRows(Int32(part.count), &lists, inViewAt: slot)
  }

  /// The first of the rows that go, listed once for all views that see the same of them.
  private mutating func sharedRows(
    _ count: Int32,
    _ lists: inout SharedLists<Width>,
    inViewAt slot: Int
  ) -> [RowDelta<Width>.Listed] {
    if let rows = lists[count] { return rows }
    transaction?.noteListed(Int(count))
    let rows = watchers[slot].listedRows(from: lists.first, count: count, in: forest)
    lists[count] = rows
    return rows
  }

  /// Records rows that go or come, with what that takes.
  mutating func recordRows(inViewAt slot: Int, _ splice: RowSplice<Width>) {
    let copied = watchers[slot].record(splice)
    if copied > 0 { transaction?.noteListed(copied) }
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

  /// Whether the rows of a subtree that moves are not listed.
  ///
  /// Its two halves must match row by row then: rules of levels may show other rows at another
  /// depth.
  private func isUnlistedMove(of count: Int32, inViewAt slot: Int) -> Bool {
    guard let limit = transaction?.listLimit, !needsIndex(slot) else { return false }
    return Int(count) > watchers[slot].listLimit(limit)
  }

  private func needsIndex(_ slot: Int) -> Bool {
    LevelIndexes<Width>.isNeeded(for: watchers[slot].view.rule)
  }
}

/// The rows that go with entries, listed once for all views that see the same ones of them.
struct SharedLists<Width: NodeWidth> {
  /// The first of the entries.
  let first: Forest<Width>.Place
  /// How many entries there are.
  let count: Int32
  private var one: [RowDelta<Width>.Listed]?
  private var all: [RowDelta<Width>.Listed]?

  init(first: Forest<Width>.Place, count: Int32) {
    (self.first, self.count) = (first, count)
  }

  /// The rows where so many of the entries are seen; nil where nobody listed them.
  subscript(count: Int32) -> [RowDelta<Width>.Listed]? {
    get { count == 1 ? one : count == self.count ? all : nil }
    set {
      if count == 1 { one = newValue }
      if count == self.count { all = newValue }
    }
  }
}

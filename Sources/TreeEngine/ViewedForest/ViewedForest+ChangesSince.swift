extension ViewedForest {
  /// Returns the net difference between a view's rows after an earlier commit and now.
  ///
  /// See ``SizedTree/changes(of:since:isOneCommit:counting:)``.
  func changes(
    inViewAt slot: Int,
    since number: Int,
    isOneCommit: Bool,
    _ history: TreeHistory,
    _ count: StepCounter
  ) throws(Interruption) -> ChangeList {
    let span = try viewSpan(at: slot, since: number, history, count)
    guard let delta = span.delta ?? emptyDelta(at: slot, span) else { return ChangeList() }
    let movers = isOneCommit ? span.movers(withUpdated: hasOrdering(slot)) : nil
    let reading = try reading(span, delta, movers, inViewAt: slot, count)
    let touched = span.filter == nil ? try touched(span, reading, inViewAt: slot, count) : nil
    let filter = filter(inViewAt: slot)
    return try changeList(reading, touched, inViewAt: slot, count) { row, now in
      shownBefore(row, now, span, filter, history, inViewAt: slot)
    }
  }

  /// Computes the effect on rows.
  ///
  /// An unlisted move is reported as a move only if it is the only change, and if the rule and the
  /// filter are the same. Otherwise, the former depth of its rows is unknown.
  private func reading(
    _ span: ViewSpan<Width>,
    _ delta: RowDelta<Width>,
    _ movers: NodeSet?,
    inViewAt slot: Int,
    _ count: StepCounter
  ) throws(Interruption) -> DeltaReading<Width> {
    let written = writtenRows(slot)
    if let (rowCount, splices) = span.soleMove, span.expansion == nil, span.filter == nil {
      return try DeltaReading(splices, rowCount: rowCount, movers: movers, counting: count) {
        listedRows(from: $0, count: $1, inViewAt: slot)
      } rowNow: {
        listedRow(of: $0, among: written, inViewAt: slot)
      }
    }
    var reading = try DeltaReading(delta, movers: movers, counting: count) {
      listedRows(from: $0, count: $1, inViewAt: slot)
    } rowNow: {
      listedRow(of: $0, among: written, inViewAt: slot)
    }
    if movers == nil {
      try reading.moveFewest(counting: count) {
        listedRows(from: $0, count: $1, inViewAt: slot)
      }
    }
    return reading
  }

  /// Returns the nodes whose rows may have changed.
  ///
  /// - Precondition: The filter is the same.
  private func touched(
    _ span: ViewSpan<Width>,
    _ reading: borrowing DeltaReading<Width>,
    inViewAt slot: Int,
    _ count: StepCounter
  ) throws(Interruption) -> NodeSet {
    var touched = NodeSet()
    try count(span.data.count + span.toggled.count + span.selected.count + span.matched.count)
    touched.insert(span.data.keys)
    touched.insert(span.toggled.keys)
    touched.insert(span.selected.keys)
    touched.insert(span.matched.keys)
    let isNewRule = span.expansion != nil
    try addReexpanded(of: reading, isNewRule: isNewRule, inViewAt: slot, to: &touched, count)
    return touched
  }

  /// Combines the history of a view since a commit.
  func viewSpan(
    at slot: Int,
    since number: Int,
    _ history: TreeHistory,
    _ count: StepCounter
  ) throws(Interruption) -> ViewSpan<Width> {
    var span = ViewSpan<Width>()
    for past in watchers[slot].history.log.entries(after: number) {
      try count(past.weight)
      span.add(past)
    }
    for past in history.data.entries(after: number) {
      try count(1 + past.weight)
      span.add(past)
    }
    return span
  }

  /// Returns an empty delta for a view whose rows can only have updates, or nil if nothing changed.
  private func emptyDelta(at slot: Int, _ span: ViewSpan<Width>) -> RowDelta<Width>? {
    span.isEmpty ? nil : RowDelta(rowCount: shownRowCount(slot))
  }

  private func shownBefore(
    _ row: RowDelta<Width>.Listed,
    _ now: NodeReading,
    _ span: ViewSpan<Width>,
    _ filter: RowFilter<Width>?,
    _ history: TreeHistory,
    inViewAt slot: Int
  ) -> ShownBefore {
    let (node, depth) = (row.node, row.depth)
    let before = span.data[node]
    let object = before?.object
    let state = before?.childState ?? now.childState
    let rule = span.expansion?.rule ?? watchers[slot].view.rule
    let wasToggled =
      span.toggled[node] ?? span.expansion?.toggled.contains(node)
      ?? watchers[slot].view.isToggled(node)
    return ShownBefore(
      isObjectChanged: object.map { $0 != history.digest(of: forest[node].object, in: forest) }
        ?? false,
      childState: state,
      childCount: before.map(\.childCount) ?? now.shownChildCount,
      isExpanded: state != .leaf && rule.expands(atDepth: depth) != wasToggled,
      isSelected: span.selected[node] ?? watchers[slot].selected.contains(node),
      isMatched: span.wasMatched(node) ?? filter?.isMatched(node)
    )
  }
}

// Updates of a view when entries are inserted into or removed from the forest.
extension View {
  /// Updates the view before entries are removed, and untoggles the toggled ones among them.
  ///
  /// - Returns: The nodes that were toggled, so that they can be toggled again after an insertion.
  /// - Complexity: O((*t* + 1) log *n*) for *t* toggled nodes.
  mutating func willCut(
    _ stretch: RuleStretch,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> [NodeID] {
    var cursor = lastMark(atOrBefore: stretch.start - 1)
    let toggled = toggledNodes(before: stretch.end, behind: cursor)
    if !toggled.isEmpty {
      for node in toggled { toggle(node, in: forest, indexes) }
      cursor = lastMark(atOrBefore: stretch.start - 1)
    }
    var mark = marks.item(cursor)
    let gap = start(ofGapBehind: cursor)..<end(ofGapBehind: cursor)
    mark.gap -= stretch.count
    if stretch.inside.minimum == mark.cover.minimum { mark.cover.count -= stretch.inside.count }
    if mark.cover.count == 0 {
      mark.cover = cover(from: gap.lowerBound, to: stretch.start, in: forest, indexes)
      mark.cover.add(cover(from: stretch.end, to: gap.upperBound, in: forest, indexes))
    }
    change(mark, at: cursor)
    return toggled
  }

  /// Updates the view after entries have been inserted.
  ///
  /// - Precondition: None of them is toggled.
  ///
  /// - Returns: The first row and the number of rows, or nil if the entries are hidden.
  /// - Complexity: O(log *n*).
  @discardableResult
  mutating func didPaste(
    _ stretch: RuleStretch,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> (row: Int32, count: Int32)? {
    let cursor = mark(openAt: stretch.start - 1, atDepth: stretch.depth, in: forest)
    var mark = marks.item(cursor)
    mark.gap += stretch.count
    mark.cover.add(stretch.inside)
    change(mark, at: cursor)
    return firstRow(of: stretch, behind: cursor, in: forest, indexes).map {
      ($0, stretch.inside.count)
    }
  }

  /// Returns the first row and the number of rows of some entries, or nil if they are hidden.
  ///
  /// - Complexity: O(log *n*).
  func rows(
    of stretch: RuleStretch,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> (row: Int32, count: Int32)? {
    let cursor = lastMark(atOrBefore: stretch.start - 1)
    guard let row = firstRow(of: stretch, behind: cursor, in: forest, indexes) else { return nil }
    if stretch.end <= end(ofGapBehind: cursor) { return (row, stretch.inside.count) }
    let count = entries(covered: 0, from: stretch.start, to: stretch.end, in: forest, indexes)
    return (row, count)
  }

  private func start(ofGapBehind cursor: Marks.Cursor) -> Int32 { cursor.prefix.count + 1 }

  private func end(ofGapBehind cursor: Marks.Cursor) -> Int32 {
    cursor.prefix.count + 1 + marks.item(cursor).gap
  }

  private mutating func change(_ mark: Mark, at cursor: Marks.Cursor) {
    marks[cursor.leaf, cursor.slot] = mark
    marks.refresh(changed: cursor.leaf)
  }

  /// Returns the row of the first entry of a range that starts in the gap behind a mark, or nil if
  /// the entry is hidden.
  private func firstRow(
    of stretch: RuleStretch,
    behind cursor: Marks.Cursor,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> Int32? {
    let step = cursor.prefix.sum + marks.item(cursor).step
    guard step + rule.collapsedAncestors(atDepth: stretch.depth) == 0 else { return nil }
    let start = start(ofGapBehind: cursor)
    // Without a toggle before the range, its cover before is already known.
    let before =
      start == 1
      ? stretch.before : cover(from: start, to: stretch.start, in: forest, indexes)
    return cursor.prefix.occurrences(of: 0) + (step + before.minimum == 0 ? before.count : 0)
  }

  /// Returns the toggled nodes among entries, in pre-order.
  ///
  /// - Complexity: O(*t* + log *n*) for *t* nodes toggled.
  func toggledNodes(_ entries: Range<Int32>) -> [NodeID] {
    toggledNodes(
      before: entries.upperBound,
      behind: lastMark(atOrBefore: entries.lowerBound - 1)
    )
  }

  private func toggledNodes(before end: Int32, behind cursor: Marks.Cursor) -> [NodeID] {
    if end < self.end(ofGapBehind: cursor) { return [] }
    var found: [NodeID] = []
    var next = marks.next(cursor)
    while let cursor = next, cursor.prefix.count < end {
      let mark = marks.item(cursor)
      if !mark.isEnd { found.append(node(ofToggle: mark.toggle)) }
      next = marks.next(cursor)
    }
    return found
  }
}

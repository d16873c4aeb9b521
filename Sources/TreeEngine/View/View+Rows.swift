extension View {
  /// Returns the minimum cover in a range of positions under the view's rule alone, and the number
  /// of entries that have it.
  ///
  /// - Complexity: O(log *n*).
  func cover(
    from start: Int32,
    to end: Int32,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> RuleCover {
    View.cover(by: rule, from: start, to: end, in: forest, indexes)
  }

  /// Returns the minimum cover in a range of positions under a rule alone, and the number of
  /// entries that have it.
  ///
  /// - Complexity: O(log *n*).
  static func cover(
    by rule: ExpansionRule,
    from start: Int32,
    to end: Int32,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> RuleCover {
    guard start < end else { return .none }
    guard let levels = rule.levels else { return RuleCover(minimum: 0, count: end - start) }
    let (depth, count) = forest.depthMinimum(from: forest.place(at: start), to: end)
    guard levels > 0, depth <= levels + 1 else {
      return RuleCover(minimum: rule.collapsedAncestors(atDepth: depth), count: count)
    }
    let shown = indexes.count(before: end, levels: levels, in: forest)
    let hidden = indexes.count(before: start, levels: levels, in: forest)
    return RuleCover(minimum: 0, count: shown - hidden)
  }

  /// Returns the number of collapsed ancestors of an entry.
  ///
  /// It is 0 for a row.
  ///
  /// - Complexity: O(log *n*).
  func cover(of place: Forest<Width>.Place) -> Int32 {
    let cursor = lastMark(atOrBefore: place.position - 1)
    return cursor.prefix.sum + marks.item(cursor).step
      + rule.collapsedAncestors(atDepth: place.depth)
  }

  /// The number of rows.
  ///
  /// - Complexity: O(1).
  var rowCount: Int32 { marks.summary(of: root).occurrences(of: 0) }

  /// Returns the index of the row of the node at a position, or nil if the node is hidden.
  ///
  /// - Complexity: O(log *n*).
  func row(
    at position: Int32,
    depth: Int32,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> Int32? {
    if toggles.isEmpty {
      guard rule.collapsedAncestors(atDepth: depth) == 0 else { return nil }
      let cover = cover(from: 1, to: position, in: forest, indexes)
      return cover.minimum == 0 ? cover.count : 0
    }
    let cursor = lastMark(atOrBefore: position - 1)
    let step = cursor.prefix.sum + marks.item(cursor).step
    guard step + rule.collapsedAncestors(atDepth: depth) == 0 else { return nil }
    let cover = cover(from: cursor.prefix.count + 1, to: position, in: forest, indexes)
    return cursor.prefix.occurrences(of: 0) + (step + cover.minimum == 0 ? cover.count : 0)
  }

  /// Returns the place of the node of a row.
  ///
  /// - Precondition: `row` is below the row count.
  /// - Complexity: O(log *n*).
  func place(
    atRow row: Int32,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> Forest<Width>.Place {
    let (rest, cover, start) = gap(ofRow: row)
    return select(rest, covered: cover, from: start, in: forest, indexes)
  }

  /// Returns the place of the node of a row, searched from the leaf of a row at or before it.
  ///
  /// - Precondition: `row` is below the row count.
  /// - Parameters:
  ///   - row: The index of the row.
  ///   - leaf: A leaf to start from, or nil if none is known. It is set to the leaf found under
  ///     ``ExpansionRule/all``, and not used otherwise.
  ///   - forest: The forest.
  ///   - indexes: The level indexes of the forest.
  /// - Returns: The place of the node.
  /// - Complexity: O(log *d* + log *m*) under ``ExpansionRule/all``, for a distance of *d* leaves
  ///   and *m* marks. Otherwise as ``place(atRow:in:_:)``.
  func place(
    atRow row: Int32,
    from leaf: inout Forest<Width>.Sequence.LeafStart?,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> Forest<Width>.Place {
    let (rest, cover, start) = gap(ofRow: row)
    if rule.levels == nil { return forest.place(at: start + rest, from: &leaf) }
    return select(rest, covered: cover, from: start, in: forest, indexes)
  }

  /// Finds the gap that contains a row.
  ///
  /// - Returns: The number of rows before it in the gap, the cover of these rows under the rule
  ///   alone, and the first position of the gap.
  private func gap(ofRow row: Int32) -> (rest: Int32, cover: Int32, start: Int32) {
    // Without toggles there is one gap. Its rows have cover 0.
    if toggles.isEmpty { return (row, 0, 1) }
    var rest = row
    var before = Summary.zero
    let found = marks.scanForward(leaf: marks.locate(0, in: root).leaf, slot: 0) { run in
      let rows = before.sum + run.minimum == 0 ? run.minimumCount : 0
      if rest < rows { return true }
      rest -= rows
      before.sum += run.sum
      before.count += run.count
      return false
    }
    guard let found else { preconditionFailure("the row is beyond the last") }
    let step = marks[found.leaf, found.slot].step
    return (rest, -(before.sum + step), before.count + 1)
  }

  /// Returns the place of an entry in a gap.
  ///
  /// It is the entry with index `rest` among those that have the given cover under the rule alone,
  /// counted from the position `start`.
  ///
  /// - Precondition: No entry of the gap has a smaller cover.
  private func select(
    _ rest: Int32,
    covered: Int32,
    from start: Int32,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> Forest<Width>.Place {
    guard let levels = rule.levels else { return forest.place(at: start + rest) }
    if covered == 0, levels > 0 {
      let before = indexes.count(before: start, levels: levels, in: forest)
      return indexes.place(at: before + rest, levels: levels, in: forest)
    }
    return forest.select(rest, atDepth: covered + 1 + levels, from: forest.place(at: start))
  }

  /// Counts the entries from `start` to before `end` that have the given cover.
  ///
  /// With the cover of an expanded node and the range of its descendants, the result is the number
  /// of its visible descendants.
  ///
  /// - Precondition: No entry of this range has a smaller cover.
  /// - Complexity: O(log *n*).
  func entries(
    covered: Int32,
    from start: Int32,
    to end: Int32,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> Int32 {
    guard start < end else { return 0 }
    let cursor = lastMark(atOrBefore: start - 1)
    let mark = marks.item(cursor)
    var sum = cursor.prefix.sum + mark.step
    var position = cursor.prefix.count + mark.gap + 1
    var total = partial(covered - sum, start, min(position, end), in: forest, indexes)
    guard position < end else { return total }
    let last = marks.scanForward(leaf: cursor.leaf, slot: cursor.slot + 1) { run in
      if position + run.count > end { return true }
      if sum + run.minimum == covered { total += run.minimumCount }
      sum += run.sum
      position += run.count
      return false
    }
    if let last, position < end {
      sum += marks[last.leaf, last.slot].step
      total += partial(covered - sum, position, end, in: forest, indexes)
    }
    return total
  }

  private func partial(
    _ covered: Int32,
    _ start: Int32,
    _ end: Int32,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> Int32 {
    let cover = cover(from: start, to: end, in: forest, indexes)
    return cover.minimum == covered ? cover.count : 0
  }
}

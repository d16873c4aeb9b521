extension View {
  /// The cover by the rule alone at positions of the forest.
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

  /// The cover by a rule alone at positions of the forest.
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

  /// How many of the nodes above an entry are collapsed; 0 at a row.
  ///
  /// - Complexity: O(log *n*).
  func cover(of place: Forest<Width>.Place) -> Int32 {
    let cursor = lastMark(atOrBefore: place.position - 1)
    return cursor.prefix.sum + marks.item(cursor).step
      + rule.collapsedAncestors(atDepth: place.depth)
  }

  /// How many rows there are.
  ///
  /// - Complexity: O(1).
  var rowCount: Int32 { marks.summary(of: root).occurrences(of: 0) }

  /// The index of the row at a position, or nil while the node there is hidden.
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

  /// Where the node of a row stands.
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

  /// Where the node of a row stands, given the leaf of a row at or before it, if one is known.
  ///
  /// - Precondition: `row` is below the row count.
  /// - Complexity: O(log *d*) in the forest for a distance of *d* leaves, where the rule is none of
  ///   levels; else as ``place(atRow:in:_:)``.
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

  /// The gap that a row is in: how many rows of the gap are before it, how often the rule covers
  /// those, and the first position.
  private func gap(ofRow row: Int32) -> (rest: Int32, cover: Int32, start: Int32) {
    // Where nothing is toggled, there is one gap, and its rows are the least covered in it.
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

  /// The `rest`-th entry from a position on that the rule covers so often, which is its least
  /// cover in that gap.
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

  /// How many entries at positions from `start` to `end` have a cover that none there goes below.
  ///
  /// For a row and its subtree's inside, with the row's own cover 0: the rows below it.
  ///
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

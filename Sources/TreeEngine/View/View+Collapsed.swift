extension View {
  /// Finds the nearest collapsed node above an entry.
  ///
  /// Everything below a collapsed node has a greater cover than the node itself. So the nearest one
  /// is the last entry before the given one whose cover is less.
  ///
  /// - Returns: The place of the node, or nil for a row, whose ancestors are all expanded.
  /// - Complexity: O(log *n*), however many expanded nodes are in between.
  func nearestCollapsed(
    above place: Forest<Width>.Place,
    in forest: borrowing Forest<Width>
  ) -> Forest<Width>.Place? {
    let cursor = lastMark(atOrBefore: place.position - 1)
    let sum = cursor.prefix.sum + marks.item(cursor).step
    let cover = sum + rule.collapsedAncestors(atDepth: place.depth)
    guard cover > 0 else { return nil }
    let start = cursor.prefix.count + 1
    let inside = last(from: start, to: place.position, covered: cover - 1 - sum, in: forest)
    if let inside { return inside }
    var sumAfter = cursor.prefix.sum
    let found = marks.scanBackward(leaf: cursor.leaf, slot: cursor.slot) { run in
      if sumAfter - run.sum + run.minimum < cover { return true }
      sumAfter -= run.sum
      return false
    }
    guard let found else { preconditionFailure("a covered entry is below a collapsed node") }
    let gap = marks.cursor(ofOwner: marks[found.leaf, found.slot].owner)
    let mark = marks.item(gap)
    let least = cover - 1 - gap.prefix.sum - mark.step
    let end = gap.prefix.count + 1 + mark.gap
    let node = last(from: gap.prefix.count + 1, to: end, covered: least, in: forest)
    guard let node else { preconditionFailure("a gap has no entry of its least cover") }
    return node
  }

  /// Finds the last entry of a range with at most the given cover under the rule alone.
  private func last(
    from start: Int32,
    to end: Int32,
    covered cover: Int32,
    in forest: borrowing Forest<Width>
  ) -> Forest<Width>.Place? {
    guard start < end, cover >= 0 else { return nil }
    guard let levels = rule.levels else { return forest.place(at: end - 1) }
    let node = forest.last(before: end, notDeeperThan: levels + 1 + cover)
    let place = forest.place(of: node)
    return place.position < start ? nil : place
  }
}

/// The expanded nodes of a view: an expansion rule and the nodes that differ from it.
///
/// This is enough to step from one row to the next, and is much smaller than a view.
struct ExpandedNodes: Sendable {
  let rule: ExpansionRule
  /// The toggle number of each toggled node.
  var toggles = NodeTable<Int32>()

  /// True if no node is collapsed.
  var isAll: Bool { toggles.isEmpty && rule == .all }

  /// Returns true if a node, which must not be a leaf, is expanded.
  ///
  /// Depth counts from 1 at the roots.
  @inline(__always)
  func expands(_ node: NodeID, depth: Int32) -> Bool {
    rule.expands(atDepth: depth) != isToggled(node)
  }

  @inline(__always)
  func isToggled(_ node: NodeID) -> Bool { toggles.contains(node) }
}

extension ExpandedNodes {
  /// Appends consecutive rows with their placement and the location of their strings.
  ///
  /// Node records are read one closely behind the other so that cache misses overlap. The strings
  /// are prefetched because the caller mostly writes them next.
  ///
  /// - Precondition: At least `count` rows follow, and `rows` has room for them.
  /// - Complexity: O(`count`), and a search for each collapsed subtree that ends outside its leaf.
  func outline<Width>(
    from start: Forest<Width>.Place,
    count: Int,
    in forest: borrowing Forest<Width>,
    to rows: inout OutputSpan<OutlinedRow>
  ) {
    let end = rows.count + count
    var place = start
    if isAll { forest.prefetchRecords(from: start, count: count) }
    while let next = outlineLeaf(from: place, until: end, in: forest, to: &rows) { place = next }
  }

  /// Appends consecutive rows of one leaf, until `rows` has `end` elements.
  ///
  /// It stops earlier at the end of the leaf, and behind a collapsed row that has children.
  ///
  /// - Returns: The place of the next row, or nil if `rows` has `end` elements.
  private func outlineLeaf<Width>(
    from start: Forest<Width>.Place,
    until end: Int,
    in forest: borrowing Forest<Width>,
    to rows: inout OutputSpan<OutlinedRow>
  ) -> Forest<Width>.Place? {
    let entries = forest.sequence.entries(of: start.leaf)
    let isAll = isAll
    let last = min(entries.count, start.slot &+ end &- rows.count) &- 1
    if !isAll { forest.prefetchRecords(from: start, count: last &+ 1 &- start.slot) }
    var depth = start.depth &- entries[start.slot].step
    for slot in start.slot...last {
      let entry = entries[slot]
      let record = forest[entry.node]
      depth &+= entry.step
      rows.append(OutlinedRow(entry.node, record, depth: depth))
      forest.prefetchStrings(of: record)
      if isAll || record.childCount == 0 || expands(entry.node, depth: depth) { continue }
      return rows.count < end ? next(start, slot, depth) { forest.afterSubtree($0) } : nil
    }
    return rows.count < end ? next(start, last, depth) { forest.next($0) } : nil
  }

  /// Returns the place of the next row after a slot in the leaf of `start`.
  private func next<Width>(
    _ start: Forest<Width>.Place,
    _ slot: Int,
    _ depth: Int32,
    _ following: (Forest<Width>.Place) -> Forest<Width>.Place?
  ) -> Forest<Width>.Place {
    var place = start
    place.slot = slot
    place.position += Int32(slot - start.slot)
    place.depth = depth
    guard let next = following(place) else {
      preconditionFailure("fewer rows than there are said to be")
    }
    return next
  }
}

// A *boundary* is a position between entries, named by the number of entries before it without the
// forest root. So the boundary behind the entry at position p is p.
extension View {
  /// Toggles a linked node, which inserts or removes its two marks.
  ///
  /// - Complexity: O(log *n*).
  mutating func toggle(
    _ node: NodeID,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) {
    if isToggled(node) {
      let toggle = removeToggle(node)
      removeMark(2 * toggle, in: forest, indexes)
      removeMark(2 * toggle + 1, in: forest, indexes)
      return
    }
    let place = forest.place(of: node)
    let end = forest.subtreeEnd(place)
    let toggle = addToggle(node)
    let step: Int32 = rule.expands(atDepth: place.depth) ? 1 : -1
    // The node's own mark precedes the marks of all subtrees that end there.
    let start = marks.last(in: root, startingAtOrBefore: place.position) { _ in true }
    insert(Mark(owner: 2 * toggle, step: step), at: place.position, behind: start, forest, indexes)
    let last = mark(openAt: end - 1, atDepth: place.depth, in: forest)
    insert(Mark(owner: 2 * toggle + 1, step: -step), at: end - 1, behind: last, forest, indexes)
  }

  /// Returns the mark after which an entry of the given depth is inserted at a boundary.
  ///
  /// The entry comes after the ends of subtrees that do not contain it, and before the ends of
  /// those that do.
  func mark(
    openAt boundary: Int32,
    atDepth depth: Int32,
    in forest: borrowing Forest<Width>
  ) -> Marks.Cursor {
    if toggles.isEmpty { return marks.first(in: root) }
    return marks.last(in: root, startingAtOrBefore: boundary) { mark in
      mark.isEnd && forest.place(of: node(ofToggle: mark.toggle)).depth < depth
    }
  }

  /// Returns the last mark at or before a boundary.
  ///
  /// Without toggles, that is the only mark.
  func lastMark(atOrBefore boundary: Int32) -> Marks.Cursor {
    if toggles.isEmpty { return marks.first(in: root) }
    return marks.last(in: root, startingAtOrBefore: boundary)
  }

  private mutating func insert(
    _ mark: Mark,
    at boundary: Int32,
    behind front: Marks.Cursor,
    _ forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) {
    let frontOwner = marks.item(front).owner
    var inserted = mark
    inserted.gap = front.prefix.count + marks.item(front).gap - boundary
    marks[front.leaf, front.slot].gap -= inserted.gap
    marks.insert(inserted, leaf: front.leaf, slot: front.slot + 1, root: &root)
    recount(frontOwner, in: forest, indexes)
    recount(mark.owner, in: forest, indexes)
  }

  /// Removes a mark and merges its gap with the gap before.
  private mutating func removeMark(
    _ owner: Int32,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) {
    let (leaf, slot) = marks.slot(ofOwner: owner)
    guard let before = marks.scanBackward(leaf: leaf, slot: slot, { _ in true }) else {
      preconditionFailure("the first mark is never removed")
    }
    let frontOwner = marks[before.leaf, before.slot].owner
    marks[before.leaf, before.slot].gap += marks[leaf, slot].gap
    marks.refresh(changed: before.leaf)
    marks.remove(leaf: leaf, slot: slot, root: &root)
    recount(frontOwner, in: forest, indexes)
  }

  /// Recomputes the cover of the gap behind a mark.
  mutating func recount(
    _ owner: Int32,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) {
    let cursor = marks.cursor(ofOwner: owner)
    let start = cursor.prefix.count + 1
    let end = start + marks.item(cursor).gap
    marks[cursor.leaf, cursor.slot].cover = cover(from: start, to: end, in: forest, indexes)
    marks.refresh(changed: cursor.leaf)
  }
}

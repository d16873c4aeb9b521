// Cutting and pasting with everything that follows the forest: level indexes, views, and the row
// deltas of a running transaction.
extension SizedTree {
  /// Cuts out a subtree, or several that stand side by side.
  ///
  /// - Returns: the subtree, and what was toggled in it in each view, up to the last where
  ///   something was.
  mutating func cut(
    _ stretch: Forest<Width>.Stretch,
    isMove: Bool = false
  ) -> (cutting: Forest<Width>.Cutting, toggled: [Transaction<Width>.Untoggled]) {
    let (place, end) = (stretch.first, stretch.end)
    var toggled: [Transaction<Width>.Untoggled] = []
    for slot in watchers.indices where !watchers[slot].view.isVacant {
      recordCut(place, to: end, inViewAt: slot, isMove: isMove)
      let untoggled = Transaction<Width>.Untoggled(
        shown: watchers[slot].view.willCut(place, to: end, in: forest, indexes),
        aside: watchers[slot].aside?.willCut(place, to: end, in: forest, indexes) ?? []
      )
      if untoggled.isEmpty { continue }
      toggled += repeatElement(.init(), count: slot - toggled.count)
      toggled.append(untoggled)
    }
    indexes.remove(from: place, to: end, in: forest)
    let cutting = forest.cut(stretch)
    for slot in watchers.indices where !watchers[slot].view.isVacant {
      watchers[slot].view.didCut(
        at: place.position,
        count: cutting.size,
        in: forest,
        indexes
      )
      watchers[slot].aside?.didCut(
        at: place.position,
        count: cutting.size,
        in: forest,
        indexes
      )
    }
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
    indexes.add(from: opening.position, count: count, in: forest)
    for slot in watchers.indices where !watchers[slot].view.isVacant {
      watchers[slot].view.didPaste(at: opening, count: count, in: forest, indexes)
      watchers[slot].aside?.didPaste(at: opening, count: count, in: forest, indexes)
      if slot < toggled.count {
        for node in toggled[slot].shown { watchers[slot].view.toggle(node, in: forest, indexes) }
        for node in toggled[slot].aside { watchers[slot].aside?.toggle(node, in: forest, indexes) }
      }
      recordPaste(opening, count: count, inViewAt: slot, isMove: isMove)
    }
  }

  private mutating func recordCut(
    _ place: Forest<Width>.Place,
    to end: Int32,
    inViewAt slot: Int,
    isMove: Bool
  ) {
    guard let listLimit = transaction?.listLimit else { return }
    guard
      let row = watchers[slot].view.row(at: place.position, depth: place.depth, in: forest, indexes)
    else { return }
    let count = watchers[slot].view.entries(
      covered: 0,
      from: place.position,
      to: end,
      in: forest,
      indexes
    )
    // The halves of an unlisted move must match row by row. Rules of levels may show other rows
    // at another depth.
    let isListed = Int(count) <= watchers[slot].listLimit(listLimit) || (isMove && needsIndex(slot))
    let rows =
      isListed ? watchers[slot].view.listedRows(from: place, count: count, in: forest) : nil
    watchers[slot].recordDeletion(
      at: row,
      count: count,
      rows: rows,
      isMoveHalf: isMove && !isListed
    )
  }

  private mutating func recordPaste(
    _ opening: Forest<Width>.Opening,
    count: Int32,
    inViewAt slot: Int,
    isMove: Bool
  ) {
    guard let listLimit = transaction?.listLimit else { return }
    let row = watchers[slot].view.row(
      at: opening.position,
      depth: opening.depth,
      in: forest,
      indexes
    )
    guard let row else { return }
    let rows = watchers[slot].view.entries(
      covered: 0,
      from: opening.position,
      to: opening.position + count,
      in: forest,
      indexes
    )
    let isMoveHalf =
      isMove && !needsIndex(slot) && Int(rows) > watchers[slot].listLimit(listLimit)
    watchers[slot].recordInsertion(at: row, count: rows, isMoveHalf: isMoveHalf)
  }

  private func needsIndex(_ slot: Int) -> Bool {
    LevelIndexes<Width>.isNeeded(for: watchers[slot].view.rule)
  }
}

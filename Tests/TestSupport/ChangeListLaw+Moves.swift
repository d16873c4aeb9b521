extension ChangeListLaw {
  /// Rule 3: a row has a move if and only if its place changed.
  var moveViolations: [String] {
    let moved = Set(identities(.move))
    if moves?.hasNewOrder == true { return reorderViolations(moved) }
    if moves?.isSpan == true {
      return missingMoves(moved) + needlessMoves(moved) + shiftedSections(moved)
        + moreThanOfRows(moved)
    }
    return missingMoves(moved) + needlessMoves(moved) + shiftedSections(moved)
      + shiftedRows(moved)
      + (moves?.isFewest == true ? tooManyMoves(moved) : [])
  }

  /// Finds rows with a move that no operation relocated.
  private func shiftedRows(_ moved: Set<Int>) -> [String] {
    guard let relocated = moves?.relocated else { return [] }
    return after.filter { moved.contains($0.identity) && !relocated.contains($0.identity) }
      .map { "\($0.key) has a move, but only shifted" }
  }

  /// For a list over several batches: finds more moves than the two row lists require.
  ///
  /// If sections move, their rows may move too, even if only their order changed.
  private func moreThanOfRows(_ moved: Set<Int>) -> [String] {
    guard !list.entries.contains(where: { $0.kind == .moveSection }),
      let staying = FewestMoves(before: before, after: after).staying
    else { return [] }
    let fewest = after.count { oldIndex[$0.identity] != nil } - staying.count
    return moved.count > fewest ? ["\(moved.count) rows move, though \(fewest) would do"] : []
  }

  /// Finds rows without a move whose place in the tree changed, or whose ancestor moved.
  private func missingMoves(_ moved: Set<Int>) -> [String] {
    after.compactMap { row in
      guard oldIndex[row.identity] != nil, !moved.contains(row.identity) else { return nil }
      if hasNewPlace(row) { return "\(row.key) has another depth or parent, but no move" }
      guard let parent = parent(of: row), moved.contains(parent.identity) else { return nil }
      return "\(row.key) is below the moved \(parent.key), but has no move"
    }
  }

  /// Finds moved subtrees that could have stayed.
  ///
  /// A subtree could have stayed if its root's place in the tree is the same, and its rows keep
  /// their order among the rows that did not move.
  private func needlessMoves(_ moved: Set<Int>) -> [String] {
    let kept = Set(oldIndex.keys).intersection(newIndex.keys).subtracting(moved)
    return after.compactMap { row in
      guard moved.contains(row.identity), !mustMove(row, moved) else { return nil }
      let group = stayingRows(of: row, moved)
      return isInOrder(kept.union(group)) ? "the move of \(row.key) was not needed" : nil
    }
  }

  /// Finds sections whose rows have moves, although the rows keep their order among the rows that
  /// did not move. A section that only passes sections without visible rows needs just its own
  /// move.
  private func shiftedSections(_ moved: Set<Int>) -> [String] {
    let kept = Set(oldIndex.keys).intersection(newIndex.keys).subtracting(moved)
    return movedSections.sorted().compactMap { section in
      let rows = after.filter { $0.sectionIdentity == section && oldIndex[$0.identity] != nil }
      let group = Set(rows.map(\.identity))
      guard !group.isEmpty, group.isSubset(of: moved), !rows.contains(where: hasNewPlace),
        isInOrder(kept.union(group))
      else { return nil }
      return "\(rows[0].key) and all of its section have moves, but only the section moved"
    }
  }

  /// After siblings were reordered as a whole, finds more moves than necessary.
  private func tooManyMoves(_ moved: Set<Int>) -> [String] {
    let free = after.filter { row in
      oldIndex[row.identity] != nil && !hasNewPlace(row)
        && parent(of: row).map { !moved.contains($0.identity) } != false
    }
    let families = Dictionary(grouping: free) { Family(parent: $0.parent, root: rootPlace(of: $0)) }
    return families.values.compactMap { family in
      let count = family.count { moved.contains($0.identity) }
      let fewest = family.count - family.compactMap { oldIndex[$0.identity] }.longestIncreasing
      guard count > fewest else { return nil }
      return "\(count) siblings of \(family[0].key) move, though \(fewest) would do"
    }
  }

  /// The identity of a group of siblings: their parent, or the section for roots.
  private struct Family: Hashable {
    var parent: ModelKey?
    var root: Int?
  }

  private func rootPlace(of row: ModelRow) -> Int? {
    row.parent == nil ? row.sectionIdentity : nil
  }

  /// After a reordering of rows: rows with a new place move, and the fewest of the others.
  private func reorderViolations(_ moved: Set<Int>) -> [String] {
    let survivors = after.filter { oldIndex[$0.identity] != nil }
    let forced = survivors.filter { row in
      isAtNewPlace(row) || moves?.relocated.contains(row.identity) == true
        // Sections keep their order if possible, and rows move between them.
        || oldIndex[row.identity].map { before[$0].sectionIdentity } != row.sectionIdentity
    }.map(\.identity)
    let missing = survivors.filter { isAtNewPlace($0) && !moved.contains($0.identity) }
    let free = survivors.filter { !forced.contains($0.identity) }
    let places = free.compactMap { oldIndex[$0.identity] }
    let most = forced.count + places.count - places.longestIncreasing
    return missing.map { "\($0.key) or what is above it has another depth or parent, but no move" }
      + (moved.count > most ? ["\(moved.count) rows move, though \(most) would do"] : [])
  }

  private func mustMove(_ row: ModelRow, _ moved: Set<Int>) -> Bool {
    if hasNewPlace(row) { return true }
    guard let parent = parent(of: row) else { return false }
    // Below an inserted node with the old parent's key, a row may count as moved or not.
    return moved.contains(parent.identity) || oldIndex[parent.identity] == nil
  }

  /// The identities of moved sections. Moves of their rows need not be necessary.
  private var movedSections: Set<Int> {
    let places = list.entries.filter { $0.kind == .moveSection }.compactMap(\.newIndex)
    return Set(places.map { sectionsAfter[$0].identity })
  }

  /// Returns the moved rows that would stay with a row: its descendants without a new place.
  private func stayingRows(of root: ModelRow, _ moved: Set<Int>) -> Set<Int> {
    var group: Set<Int> = [root.identity]
    for row in after.sorted(by: { $0.depth < $1.depth })
    where moved.contains(row.identity) && !hasNewPlace(row) {
      if let parent = parent(of: row), group.contains(parent.identity) {
        group.insert(row.identity)
      }
    }
    return group
  }

  private func hasNewPlace(_ row: ModelRow) -> Bool {
    guard let index = oldIndex[row.identity] else { return false }
    let old = before[index]
    return old.depth != row.depth || old.parent != row.parent
      || (row.parent == nil && old.sectionIdentity != row.sectionIdentity)
  }

  /// Returns true if the place of a row or of an ancestor changed.
  private func isAtNewPlace(_ row: ModelRow) -> Bool {
    var next: ModelRow? = row
    while let row = next {
      if hasNewPlace(row) { return true }
      next = parent(of: row)
    }
    return false
  }

  private func parent(of row: ModelRow) -> ModelRow? {
    guard let key = row.parent else { return nil }
    return after.first { $0.key == key }
  }

  /// Returns true if the rows have the same order before and after.
  private func isInOrder(_ identities: Set<Int>) -> Bool {
    let places = after.filter { identities.contains($0.identity) }
      .compactMap { oldIndex[$0.identity] }
    return !zip(places, places.dropFirst()).contains(where: >=)
  }
}

import TestSupport

/// A simple reference implementation of change lists, from the states before and after.
///
/// Rows that no operation moved stay, and of the others those that fit in the order. If siblings
/// were sorted as a whole, as many stay as possible.
struct ReferenceChangeList {
  let before: [ModelRow]
  let after: [ModelRow]
  let sectionsBefore: [ModelSectionRow]
  let sectionsAfter: [ModelSectionRow]
  let everySectionBefore: [ModelSectionRow]
  let everySectionAfter: [ModelSectionRow]
  let moves: ModelMoves

  init(before: ModelPicture, after: ModelPicture, moves: ModelMoves) {
    self.before = before.rows
    self.after = after.rows
    sectionsBefore = before.sections
    sectionsAfter = after.sections
    everySectionBefore = before.everySection
    everySectionAfter = after.everySection
    self.moves = moves
  }

  /// Returns the change list, in rows or ranges.
  func list(ranges: Bool, includeRows: Bool) -> ChangeList {
    var list = ChangeList()
    let entries = deletes + sectionEntries + arrivals(moved) + updates
    list.format = ranges ? .ranges : .rows
    for entry in entries {
      if ranges, let last = list.entries.last, let merged = merge(last, entry) {
        list.entries[list.entries.count - 1] = merged
      } else {
        list.entries.append(entry)
      }
    }
    if includeRows { list.entries = list.entries.map(withRows) }
    list.unloaded = expandedUnloaded
    return list
  }

  /// The rows that became expanded and whose children are not loaded.
  var expandedUnloaded: [ModelKey] {
    let wasExpanded = Dictionary(uniqueKeysWithValues: before.map { ($0.identity, $0.expanded) })
    return after.filter { row in
      row.expanded && wasExpanded[row.identity] == false
        && ["unloaded", "failed"].contains(row.childState)
    }.map(\.key)
  }

  private var oldIndex: [Int: Int] {
    Dictionary(uniqueKeysWithValues: before.enumerated().map { ($1.identity, $0) })
  }

  // MARK: - Which rows move

  private var moved: Set<Int> {
    let oldIndex = oldIndex
    let survivors = after.filter { oldIndex[$0.identity] != nil }
    if moves.isSpan, !moves.hasNewOrder,
      let staying = FewestMoves(before: before, after: after).staying
    {
      return Set(survivors.map(\.identity)).subtracting(staying)
    }
    if moves.hasNewOrder {
      let free = survivors.filter { isAtOldPlace($0, oldIndex) }
      return Set(survivors.map(\.identity)).subtracting(longest(free, oldIndex))
    }
    var kept = Set(survivors.map(\.identity)).subtracting(moves.relocated)
    var moved: Set<Int> = []
    var movedKeys: Set<ModelKey> = []
    for row in survivors {
      let isFree = !(row.parent.map(movedKeys.contains) ?? false)
      let fits =
        moves.isFewest
        ? longest(survivors.filter { isSibling($0, of: row, oldIndex) }, oldIndex)
          .contains(row.identity)
        : isInOrder(kept.union([row.identity]), oldIndex)
      if hasOldPlace(row, oldIndex), isFree, fits {
        kept.insert(row.identity)
      } else {
        kept.remove(row.identity)
        moved.insert(row.identity)
        movedKeys.insert(row.key)
      }
    }
    return moved
  }

  private func hasOldPlace(_ row: ModelRow, _ oldIndex: [Int: Int]) -> Bool {
    guard let old = oldIndex[row.identity].map({ before[$0] }) else { return false }
    return old.depth == row.depth && old.parent == row.parent
      && (row.parent != nil || old.sectionIdentity == row.sectionIdentity)
  }

  /// Returns true if the places of a row and of its remaining ancestors are unchanged.
  private func isAtOldPlace(_ row: ModelRow, _ oldIndex: [Int: Int]) -> Bool {
    var next: ModelRow? = row
    while let row = next {
      if oldIndex[row.identity] != nil, !hasOldPlace(row, oldIndex) { return false }
      next = row.parent.flatMap { key in after.first { $0.key == key } }
    }
    return true
  }

  private func isSibling(_ other: ModelRow, of row: ModelRow, _ oldIndex: [Int: Int]) -> Bool {
    other.parent == row.parent && other.sectionIdentity == row.sectionIdentity
      && hasOldPlace(other, oldIndex)
  }

  private func isInOrder(_ identities: Set<Int>, _ oldIndex: [Int: Int]) -> Bool {
    let places = after.filter { identities.contains($0.identity) }
      .compactMap { oldIndex[$0.identity] }
    return places == places.sorted()
  }

  /// Returns the longest list of rows in the same order before and after.
  private func longest(_ rows: [ModelRow], _ oldIndex: [Int: Int]) -> [Int] {
    var best: [[Int]] = []
    let places = rows.compactMap { oldIndex[$0.identity] }
    for (index, row) in rows.enumerated() {
      let before = (0..<index).filter { places[$0] < places[index] }.map { best[$0] }
      best.append((before.max { $0.count < $1.count } ?? []) + [row.identity])
    }
    return best.max { $0.count < $1.count } ?? []
  }

  // MARK: - Entries

  private var deletes: [ChangeList.Entry] {
    let remaining = Set(after.map(\.identity))
    return before.enumerated().reversed().filter { !remaining.contains($1.identity) }
      .map { index, row in
        var entry = ChangeList.Entry(.delete, index: index)
        entry.key = row.key
        entry.section = row.section
        entry.sectionRow = row.sectionRow
        return entry
      }
  }

  private func arrivals(_ moved: Set<Int>) -> [ChangeList.Entry] {
    let oldIndex = oldIndex
    return after.enumerated().compactMap { newIndex, row in
      let index = oldIndex[row.identity]
      guard index == nil || moved.contains(row.identity) else { return nil }
      var entry = ChangeList.Entry(index == nil ? .insert : .move, index: index, newIndex: newIndex)
      entry.key = row.key
      entry.depth = row.depth
      entry.parent = try? RawJSON(parsing: JSONText.key(row.parent))
      entry.section = row.section
      entry.sectionRow = row.sectionRow
      entry.fromSection = index.flatMap { before[$0].section }
      entry.fromSectionRow = index.flatMap { before[$0].sectionRow }
      return entry
    }
  }

  private var updates: [ChangeList.Entry] {
    let oldIndex = oldIndex
    return after.enumerated().compactMap { newIndex, row in
      guard let index = oldIndex[row.identity] else { return nil }
      let fields = row.changedFields(since: before[index])
      guard !fields.isEmpty else { return nil }
      var entry = ChangeList.Entry(.update, index: index, newIndex: newIndex)
      entry.key = row.key
      entry.fields = fields.sorted()
      entry.section = row.section
      entry.sectionRow = row.sectionRow
      return entry
    }
  }

  /// Merges an entry into a range; returns nil if they are not adjacent.
  private func merge(_ run: ChangeList.Entry, _ next: ChangeList.Entry) -> ChangeList.Entry? {
    guard run.kind == next.kind, run.fields == next.fields, !run.kind.isAboutSection,
      run.section == next.section, run.fromSection == next.fromSection
    else { return nil }
    var merged = run
    merged.key = nil
    merged.count += 1
    if run.kind != .move || run.depth != next.depth || run.parent?.bytes != next.parent?.bytes {
      (merged.depth, merged.parent) = (nil, nil)
    }
    if run.kind == .delete {
      merged.index = next.index
      merged.sectionRow = next.sectionRow
      return next.index.map { $0 + 1 } == run.index ? merged : nil
    }
    let continues =
      run.newIndex.map { $0 + run.count } == next.newIndex
      && run.index.map { $0 + run.count } == next.index
    return continues ? merged : nil
  }

  private func withRows(_ entry: ChangeList.Entry) -> ChangeList.Entry {
    guard entry.kind == .insert || entry.kind == .update, let first = entry.newIndex else {
      return entry
    }
    var entry = entry
    entry.rows = after[first..<first + entry.count].compactMap { row in
      try? RawJSON(parsing: row.json())
    }
    return entry
  }
}

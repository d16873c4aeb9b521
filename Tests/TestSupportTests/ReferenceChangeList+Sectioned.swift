import TestSupport

extension ReferenceChangeList {
  /// Returns the change list by sections.
  func sectionedList(ranges: Bool, includeRows: Bool) -> ChangeList {
    let moved = movedInSections
    var list = ChangeList()
    list.format = ranges ? .ranges : .rows
    for entry in leaving + tableSections + coming(moved) + changed(moved) {
      if ranges, let last = list.entries.last, let merged = merge(last, entry) {
        list.entries[list.entries.count - 1] = merged
      } else {
        list.entries.append(entry)
      }
    }
    if !includeRows {
      for index in list.entries.indices { list.entries[index].rows = nil }
    }
    list.unloaded = expandedUnloaded
    return list
  }

  // MARK: - Which rows move

  private func old(_ row: ModelRow) -> ModelRow? {
    before.first { $0.identity == row.identity }
  }

  private func survives(_ row: ModelRow) -> Bool {
    let (old, new) = (everySectionBefore.map(\.identity), everySectionAfter.map(\.identity))
    guard let former = self.old(row) else { return false }
    return new.contains(former.sectionIdentity) && old.contains(row.sectionIdentity)
  }

  private func hasOldPlace(_ row: ModelRow) -> Bool {
    guard let old = old(row) else { return false }
    return old.depth == row.depth && old.parent == row.parent
      && old.sectionIdentity == row.sectionIdentity
  }

  /// The moved rows. Rows that only shifted stay, and of the others those that fit in the order of
  /// their section.
  private var movedInSections: Set<Int> {
    let survivors = after.filter(survives)
    var kept = Set(survivors.map(\.identity)).subtracting(moves.carried)
    var moved: Set<Int> = []
    var movedKeys: Set<ModelKey> = []
    for row in survivors {
      let isFree = moves.hasNewOrder || !(row.parent.map(movedKeys.contains) ?? false)
      if hasOldPlace(row), isFree, isInOrder(kept.union([row.identity]), as: row) {
        kept.insert(row.identity)
      } else {
        kept.remove(row.identity)
        moved.insert(row.identity)
        movedKeys.insert(row.key)
      }
    }
    return moved
  }

  private func isInOrder(_ identities: Set<Int>, as row: ModelRow) -> Bool {
    let places = after.filter { other in
      identities.contains(other.identity) && other.sectionIdentity == row.sectionIdentity
        && hasOldPlace(other)
    }.compactMap { row in before.firstIndex { $0.identity == row.identity } }
    return places == places.sorted()
  }

  // MARK: - Entries

  private func place(
    _ row: ModelRow,
    _ rows: [ModelRow],
    _ sections: [ModelSectionRow]
  ) -> (
    name: ModelKey?, section: Int?, row: Int?
  ) {
    let section = sections.first { $0.identity == row.sectionIdentity }
    let inside = rows.filter { $0.sectionIdentity == row.sectionIdentity }
    return (section?.name, section?.index, inside.firstIndex { $0.identity == row.identity })
  }

  private func entry(_ kind: ChangeList.Kind, _ row: ModelRow) -> ChangeList.Entry {
    var entry = ChangeList.Entry(kind)
    entry.key = row.key
    let isGone = kind == .delete
    if kind != .insert { entry.index = before.firstIndex { $0.identity == row.identity } }
    if !isGone { entry.newIndex = after.firstIndex { $0.identity == row.identity } }
    (entry.section, entry.sectionIndex, entry.sectionRow) =
      isGone ? place(row, before, everySectionBefore) : place(row, after, everySectionAfter)
    guard kind == .move || kind == .update, let old = old(row) else { return entry }
    (entry.fromSection, entry.fromSectionIndex, entry.fromSectionRow) =
      place(old, before, everySectionBefore)
    let fields = row.changedFields(since: old).sorted()
    if !fields.isEmpty { entry.fields = fields }
    return entry
  }

  private var leaving: [ChangeList.Entry] {
    let surviving = Set(after.filter(survives).map(\.identity))
    return before.reversed().filter { !surviving.contains($0.identity) }.map { entry(.delete, $0) }
  }

  private func coming(_ moved: Set<Int>) -> [ChangeList.Entry] {
    after.compactMap { row in
      let isNew = !survives(row)
      guard isNew || moved.contains(row.identity) else { return nil }
      var entry = entry(isNew ? .insert : .move, row)
      entry.depth = row.depth
      entry.parent = try? RawJSON(parsing: JSONText.key(row.parent))
      if isNew || entry.fields != nil { entry.rows = json(of: row) }
      return entry
    }
  }

  private func changed(_ moved: Set<Int>) -> [ChangeList.Entry] {
    after.compactMap { row in
      guard survives(row), !moved.contains(row.identity) else { return nil }
      var entry = entry(.update, row)
      entry.rows = json(of: row)
      return entry.fields == nil ? nil : entry
    }
  }

  private func json(of row: ModelRow) -> [RawJSON]? {
    (try? RawJSON(parsing: row.json())).map { [$0] }
  }

  /// Merges an entry into a range; returns nil if they are not adjacent.
  private func merge(_ run: ChangeList.Entry, _ next: ChangeList.Entry) -> ChangeList.Entry? {
    guard run.kind == next.kind, run.fields == next.fields, !run.kind.isAboutSection,
      run.sectionIndex == next.sectionIndex, run.fromSectionIndex == next.fromSectionIndex
    else { return nil }
    var merged = run
    merged.key = nil
    merged.count += 1
    merged.rows = run.rows.map { $0 + (next.rows ?? []) }
    if run.kind == .delete {
      (merged.index, merged.sectionRow) = (next.index, next.sectionRow)
      return next.sectionRow.map { $0 + 1 } == run.sectionRow ? merged : nil
    }
    if run.kind != .move || run.depth != next.depth || run.parent?.bytes != next.parent?.bytes {
      (merged.depth, merged.parent) = (nil, nil)
    }
    let continues =
      run.sectionRow.map { $0 + run.count } == next.sectionRow
      && run.fromSectionRow.map { $0 + run.count } == next.fromSectionRow
    return continues ? merged : nil
  }

  /// The entries of sections, including a single nameless one.
  private var tableSections: [ChangeList.Entry] {
    let shown = ModelPicture(rows: before, sections: everySectionBefore)
    let reference = ReferenceChangeList(
      before: shown,
      after: ModelPicture(rows: after, sections: everySectionAfter),
      moves: moves
    )
    let entries = reference.sectionEntries
    let updates = entries.filter { $0.kind == .updateSection }
    let movedPlaces = Set(entries.filter { $0.kind == .moveSection }.compactMap(\.newIndex))
    return entries.compactMap { entry in
      var entry = entry
      entry.to = nil
      if entry.kind == .insertSection, let place = entry.newIndex {
        entry.expanded = everySectionAfter[place].expanded
      }
      if entry.kind == .updateSection, movedPlaces.contains(entry.newIndex ?? -1) { return nil }
      guard entry.kind == .moveSection,
        let update = updates.first(where: { $0.newIndex == entry.newIndex })
      else { return entry }
      (entry.fields, entry.from, entry.expanded) = (update.fields, update.from, update.expanded)
      return entry
    }
  }
}

extension ChangeListLaw {
  /// Violations of the shape: each entry has the members of its kind, with the values of its rows.
  var shapeViolations: [String] {
    list.entries.enumerated().compactMap { index, entry in
      shapeViolation(entry).map { "entry \(index) (\(entry.kind)) \($0)" }
    }
  }

  /// Rule 5: adjacent entries of one kind and section form one range.
  var runViolations: [String] {
    guard list.format == .ranges else { return [] }
    let rowEntries = list.entries.filter { !$0.kind.isAboutSection }
    return zip(rowEntries, rowEntries.dropFirst()).compactMap { first, second in
      guard first.kind == second.kind, continues(first, second), isOneSection(first, second) else {
        return nil
      }
      return "two neighbouring runs of \(first.kind) are not merged"
    }
  }

  private func continues(_ first: ChangeList.Entry, _ second: ChangeList.Entry) -> Bool {
    let newIndexes = first.newIndex.map { $0 + first.count } == second.newIndex
    let indexes = first.index.map { $0 + first.count } == second.index
    return switch first.kind {
    case .delete: second.index.map { $0 + second.count } == first.index
    case .insert: newIndexes
    case .move: indexes && newIndexes
    case .update: indexes && newIndexes && Set(first.fields ?? []) == Set(second.fields ?? [])
    case .deleteSection, .insertSection, .moveSection, .updateSection: false
    }
  }

  /// Returns true if all rows of the entries were in one section, and are in one section.
  private func isOneSection(_ entries: ChangeList.Entry...) -> Bool {
    let old = entries.flatMap(\.steps).compactMap(\.index).map { before[$0].sectionIdentity }
    let new = entries.flatMap(\.steps).compactMap(\.newIndex).map { after[$0].sectionIdentity }
    return Set(old).count <= 1 && Set(new).count <= 1
  }

  private func shapeViolation(_ entry: ChangeList.Entry) -> String? {
    if entry.kind.isAboutSection { return sectionShapeViolation(entry) }
    if list.format == .rows, entry.count != 1 { return "has a count" }
    if entry.count < 1 { return "covers no row" }
    let wantsIndex = entry.kind != .insert
    let wantsNewIndex = entry.kind != .delete
    guard (entry.index != nil) == wantsIndex else { return "has the wrong kind of index" }
    guard (entry.newIndex != nil) == wantsNewIndex else { return "has the wrong kind of newIndex" }
    guard isInside(entry.index, entry.count, before.count) else { return "is outside the old rows" }
    guard isInside(entry.newIndex, entry.count, after.count) else {
      return "is outside the new rows"
    }
    guard isOneSection(entry) else { return "spans two sections" }
    return keyViolation(entry) ?? placeViolation(entry) ?? sectionPlaceViolation(entry)
      ?? rowViolation(entry)
  }

  private func isInside(_ index: Int?, _ count: Int, _ rowCount: Int) -> Bool {
    guard let index else { return true }
    return index >= 0 && index + count <= rowCount
  }

  private func keyViolation(_ entry: ChangeList.Entry) -> String? {
    if entry.count > 1 { return entry.key == nil ? nil : "has a key for several rows" }
    let old = entry.index.map { before[$0].key }
    let new = entry.newIndex.map { after[$0].key }
    guard let key = entry.key else { return "has no key" }
    return [old, new].compactMap(\.self).allSatisfy { $0 == key } ? nil : "names the wrong key"
  }

  /// Rule 4: inserts and moves have the depth and the parent of their first row.
  private func placeViolation(_ entry: ChangeList.Entry) -> String? {
    let carriesPlace = entry.kind == .insert || entry.kind == .move
    guard carriesPlace, let newIndex = entry.newIndex else {
      return entry.depth == nil && entry.parent == nil ? nil : "carries a depth or a parent"
    }
    let row = after[newIndex]
    if entry.count > 1, (entry.depth != nil) != (entry.kind == .move && haveEqualPlaces(entry)) {
      return "says depth and parent of rows that differ, or not those that all its rows share"
    }
    if entry.depth == nil, entry.parent != nil { return "has a parent without a depth" }
    if entry.count == 1, entry.depth == nil || entry.parent == nil {
      return "lacks its depth or its parent"
    }
    if let depth = entry.depth, depth != row.depth { return "has the wrong depth" }
    guard let parent = entry.parent else { return nil }
    return parent.isNull == (row.parent == nil) && parent.key == row.parent
      ? nil : "has the wrong parent"
  }

  /// Returns true if all rows of an entry have the same depth and parent.
  private func haveEqualPlaces(_ entry: ChangeList.Entry) -> Bool {
    let rows = entry.steps.compactMap(\.newIndex).map { after[$0] }
    return rows.allSatisfy { $0.depth == rows[0].depth && $0.parent == rows[0].parent }
  }

  /// Rule 6: included rows equal the new rows.
  private func rowViolation(_ entry: ChangeList.Entry) -> String? {
    guard let rows = entry.rows else { return nil }
    guard entry.kind == .insert || entry.kind == .update, let newIndex = entry.newIndex else {
      return "carries rows"
    }
    guard rows.count <= entry.count else { return "carries too many rows" }
    for (offset, json) in rows.enumerated() {
      if let difference = after[newIndex + offset].difference(from: json) {
        return "carries a row that differs: \(difference)"
      }
    }
    return nil
  }
}

extension SectionedListLaw {
  /// Violations of the shape: each entry has the members of its kind, with the values of its rows.
  var shapeViolations: [String] {
    list.entries.enumerated().compactMap { place, entry in
      let violation =
        entry.kind.isAboutSection ? sectionViolation(entry) : rowViolation(entry)
      return violation.map { "entry \(place) (\(entry.kind)) \($0)" }
    }
  }

  // MARK: - Rows

  private func rowViolation(_ entry: ChangeList.Entry) -> String? {
    if !hasTrueIndexes(entry) { return "has a wrong index among all rows" }
    if entry.from != nil || entry.to != nil || entry.expanded != nil {
      return "says what a section's entry says"
    }
    if entry.count < 1 || (list.format == .rows && entry.count > 1) { return "has a wrong count" }
    let wantsFormer = entry.kind == .move || entry.kind == .update
    guard let section = entry.sectionIndex, let row = entry.sectionRow,
      (entry.fromSection != nil) == wantsFormer, (entry.fromSectionIndex != nil) == wantsFormer,
      (entry.fromSectionRow != nil) == wantsFormer
    else { return "lacks a place, or has one too many" }
    let now = entry.kind == .delete ? before : after
    guard let violation = placeViolation(entry.section, section, row, entry.count, in: now) else {
      guard wantsFormer, let section = entry.fromSectionIndex, let row = entry.fromSectionRow else {
        return memberViolation(entry)
      }
      return placeViolation(entry.fromSection, section, row, entry.count, in: before)
        ?? memberViolation(entry)
    }
    return violation
  }

  /// Returns true if the indexes among all rows match the places in sections.
  private func hasTrueIndexes(_ entry: ChangeList.Entry) -> Bool {
    func index(_ path: Path?, _ picture: ModelPicture) -> Int? {
      guard let path, picture.everySection.indices.contains(path.section) else { return nil }
      return picture.everySection[path.section].offset + path.row
    }
    guard let step = entry.tableSteps.first else { return false }
    return entry.index == index(step.from, before) && entry.newIndex == index(step.to, after)
  }

  private func placeViolation(
    _ name: ModelKey?,
    _ section: Int,
    _ row: Int,
    _ count: Int,
    in picture: ModelPicture
  ) -> String? {
    guard picture.everySection.indices.contains(section) else { return "is in no section" }
    if picture.everySection[section].name != name { return "has the wrong name of its section" }
    return row >= 0 && row + count <= picture.everySection[section].rowCount
      ? nil : "is outside its section"
  }

  /// Returns the old and new rows of an entry.
  func rows(of entry: ChangeList.Entry) -> (old: [ModelRow], new: [ModelRow]) {
    func rows(_ paths: [Path], _ picture: ModelPicture) -> [ModelRow] {
      paths.map { picture.rows[picture.everySection[$0.section].offset + $0.row] }
    }
    let steps = entry.tableSteps
    return (rows(steps.compactMap(\.from), before), rows(steps.compactMap(\.to), after))
  }

  private func memberViolation(_ entry: ChangeList.Entry) -> String? {
    let (old, new) = rows(of: entry)
    let row = (new.first ?? old.first)
    if entry.count == 1 ? entry.key != row?.key : entry.key != nil { return "has the wrong key" }
    if !old.isEmpty, !new.isEmpty, old.map(\.identity) != new.map(\.identity) {
      return "mixes rows"
    }
    let haveEqualPlaces = new.allSatisfy { $0.depth == row?.depth && $0.parent == row?.parent }
    let wantsPlace =
      entry.kind == .move && haveEqualPlaces || entry.kind == .insert && entry.count == 1
    guard (entry.depth != nil) == wantsPlace, (entry.parent != nil) == wantsPlace else {
      return "tells, or lacks, depth and parent"
    }
    if wantsPlace, entry.depth != row?.depth || entry.parent?.key != row?.parent {
      return "has the wrong depth or parent"
    }
    if (entry.kind == .delete || entry.kind == .insert) && entry.fields != nil {
      return "has fields"
    }
    if entry.kind == .update, entry.fields == nil { return "has no fields" }
    return includedViolation(entry, new)
  }

  private func includedViolation(_ entry: ChangeList.Entry, _ new: [ModelRow]) -> String? {
    guard let rows = entry.rows else { return nil }
    guard entry.kind == .insert || entry.fields != nil else { return "carries rows" }
    if rows.count > new.count { return "carries too many rows" }
    for (json, row) in zip(rows, new) {
      if let difference = row.difference(from: json) {
        return "carries a row that differs: \(difference)"
      }
    }
    return nil
  }

  // MARK: - Sections

  private func sectionViolation(_ entry: ChangeList.Entry) -> String? {
    let isNew = entry.kind == .insertSection
    let isGone = entry.kind == .deleteSection
    guard (entry.index == nil) == isNew, (entry.newIndex == nil) == isGone else {
      return "has the wrong kind of indexes"
    }
    guard entry.index.map(before.everySection.indices.contains) != false,
      entry.newIndex.map(after.everySection.indices.contains) != false
    else { return "is outside the sections" }
    let old = entry.index.map { before.everySection[$0] }
    let new = entry.newIndex.map { after.everySection[$0] }
    if entry.section != (new ?? old)?.name { return "has the wrong name" }
    if let old, let new, old.identity != new.identity { return "mixes two sections" }
    if entry.key != nil || entry.rows != nil || entry.sectionIndex != nil || entry.to != nil {
      return "says what it need not"
    }
    guard let old, let new else {
      let isRight = entry.fields == nil && entry.from == nil && entry.expanded == new?.expanded
      return isRight ? nil : "says something else than expanded"
    }
    let changed = changedFields(old, new)
    if changed.isEmpty {
      let isBare = entry.fields == nil && entry.from == nil && entry.expanded == nil
      return isBare && entry.kind == .moveSection ? nil : "says what did not change"
    }
    guard Set(entry.fields ?? []) == changed, entry.expanded == new.expanded else {
      return "has the wrong fields or expanded"
    }
    return entry.from == (old.name == new.name ? nil : old.name) ? nil : "has the wrong from"
  }

  private func changedFields(_ old: ModelSectionRow, _ new: ModelSectionRow) -> Set<String> {
    Set((old.name == new.name ? [] : ["name"]) + (old.expanded == new.expanded ? [] : ["expanded"]))
  }

  /// Checks that removed sections are deleted, new ones inserted, changed ones reported, and that
  /// no move is unnecessary.
  var sectionViolations: [String] {
    let (old, new) = (before.everySection, after.everySection)
    let (oldIDs, newIDs) = (old.map(\.identity), new.map(\.identity))
    let entries = list.entries.filter(\.kind.isAboutSection)
    func identities(_ kind: ChangeList.Kind) -> [Int] {
      entries.filter { $0.kind == kind }.compactMap { entry in
        entry.index.map { oldIDs[$0] } ?? entry.newIndex.map { newIDs[$0] }
      }
    }
    var found: [String] = []
    if Set(identities(.deleteSection)) != Set(oldIDs).subtracting(newIDs) {
      found.append("deleted sections are not those that vanished")
    }
    if Set(identities(.insertSection)) != Set(newIDs).subtracting(oldIDs) {
      found.append("inserted sections are not those that appeared")
    }
    let reported = Set(identities(.moveSection) + identities(.updateSection))
    for section in new {
      guard let former = old.first(where: { $0.identity == section.identity }) else { continue }
      if !changedFields(former, section).isEmpty, !reported.contains(section.identity) {
        found.append("section \(section.name) reads differently, but has no entry")
      }
    }
    let moved = Set(identities(.moveSection))
    for section in moved {
      let kept = newIDs.filter { oldIDs.contains($0) && ($0 == section || !moved.contains($0)) }
      if kept == oldIDs.filter(kept.contains) { found.append("a section need not have moved") }
    }
    return found
  }
}

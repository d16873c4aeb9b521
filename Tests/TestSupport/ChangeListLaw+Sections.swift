extension ChangeListLaw {
  /// True if the tree got its first section or lost its last. Rows of the side without sections are
  /// then not checked for sections.
  private var isTransition: Bool {
    sectionsBefore.isEmpty != sectionsAfter.isEmpty
  }

  // MARK: - Rows

  /// Checks the section members of an entry: in a tree with sections, they give the section of the
  /// first row.
  func sectionPlaceViolation(_ entry: ChangeList.Entry) -> String? {
    let old = entry.index.map { before[$0] }
    let new = entry.newIndex.map { after[$0] }
    let now = entry.kind == .delete ? old : new
    let former = entry.kind == .move ? old : nil
    if !agrees(entry.section, entry.sectionRow, with: now) {
      return "has the wrong section or sectionRow"
    }
    if !agrees(entry.fromSection, entry.fromSectionRow, with: former) {
      return "has the wrong fromSection or fromSectionRow"
    }
    if entry.sectionIndex != nil || entry.fromSectionIndex != nil { return "has a section's index" }
    return entry.from == nil && entry.expanded == nil ? nil : "says what a section's entry says"
  }

  private func agrees(_ section: ModelKey?, _ sectionRow: Int?, with row: ModelRow?) -> Bool {
    if section == row?.section, sectionRow == row?.sectionRow { return true }
    guard let row, isTransition else { return false }
    return section == nil ? sectionRow == nil : section == row.section ?? ""
  }

  // MARK: - Sections

  /// Checks the members of a section's entry against the sections.
  func sectionShapeViolation(_ entry: ChangeList.Entry) -> String? {
    let isNew = entry.kind == .insertSection
    let isGone = entry.kind == .deleteSection
    guard (entry.index == nil) == isNew else { return "has the wrong kind of index" }
    guard (entry.newIndex == nil) == isGone else { return "has the wrong kind of newIndex" }
    guard entry.index.map(sectionsBefore.indices.contains) != false else {
      return "is outside the old sections"
    }
    guard entry.newIndex.map(sectionsAfter.indices.contains) != false else {
      return "is outside the new sections"
    }
    let old = entry.index.map { sectionsBefore[$0] }
    let new = entry.newIndex.map { sectionsAfter[$0] }
    if entry.section != (new ?? old)?.name { return "names the wrong section" }
    if let old, let new, old.identity != new.identity { return "mixes two sections" }
    if entry.key != nil || entry.rows != nil || entry.count != 1 || entry.depth != nil {
      return "says what a row's entry says"
    }
    if let violation = namelessViolation(entry, old) { return violation }
    if let expanded = entry.expanded, expanded != new?.expanded { return "has a wrong expanded" }
    return updateShapeViolation(entry, old, new)
  }

  /// Checks `to`, which only the entry of a section has whose rows remain in a tree without
  /// sections.
  private func namelessViolation(
    _ entry: ChangeList.Entry,
    _ old: ModelSectionRow?
  ) -> String? {
    guard let to = entry.to else {
      let livesOn = after.contains { $0.sectionIdentity == old?.identity }
      return isGone(entry) && livesOn ? "does not say where its rows are" : nil
    }
    guard isGone(entry), to == "", sectionsAfter.isEmpty else { return "has a wrong to" }
    return after.allSatisfy { $0.sectionIdentity == old?.identity } ? nil : "has a wrong to"
  }

  private func isGone(_ entry: ChangeList.Entry) -> Bool { entry.kind == .deleteSection }

  private func updateShapeViolation(
    _ entry: ChangeList.Entry,
    _ old: ModelSectionRow?,
    _ new: ModelSectionRow?
  ) -> String? {
    if entry.kind == .insertSection, entry.fields == nil, entry.from == "" {
      return sectionsBefore.isEmpty ? nil : "was not the nameless one alone"
    }
    guard entry.kind == .updateSection, let old, let new else {
      return entry.fields == nil && entry.from == nil ? nil : "says what an update says"
    }
    if entry.expanded == nil { return "lacks expanded" }
    let from = old.name == new.name ? nil : old.name
    return entry.from == from ? nil : "has the wrong from"
  }

  /// Checks that deletions, insertions and updates are exact, and that no move is unnecessary.
  var sectionViolations: [String] {
    let (old, new) = (sectionsBefore.map(\.identity), sectionsAfter.map(\.identity))
    let entries = list.entries.filter(\.kind.isAboutSection)
    let deleted = entries.filter { $0.kind == .deleteSection }.compactMap(\.index).map { old[$0] }
    let inserted = entries.filter { $0.kind == .insertSection }.compactMap(\.newIndex)
      .map { new[$0] }
    let moved = entries.filter { $0.kind == .moveSection }.compactMap(\.index).map { old[$0] }
    var found: [String] = []
    if Set(deleted) != Set(old).subtracting(new) {
      found.append("deleted sections are not those that vanished")
    }
    if Set(inserted) != Set(new).subtracting(old) {
      found.append("inserted sections are not those that appeared")
    }
    let survivors = new.filter(old.contains)
    func isInOrder(_ kept: [Int]) -> Bool { kept == old.filter { kept.contains($0) } }
    if !isInOrder(survivors.filter { !moved.contains($0) }) {
      found.append("the sections that stay are not in order")
    }
    // The choice of the moved sections depends on their rows, too: the total number of entries
    // counts.
    for section in moved where isInOrder(survivors.filter { $0 == section || !moved.contains($0) })
    {
      found.append("the move of section \(new.firstIndex(of: section) ?? -1) was not needed")
    }
    return found + sectionUpdateViolations
  }

  private var sectionUpdateViolations: [String] {
    sectionsAfter.compactMap { new in
      guard let old = sectionsBefore.first(where: { $0.identity == new.identity }) else {
        return nil
      }
      let updates = list.entries.filter { $0.kind == .updateSection && $0.newIndex == new.index }
      let fields = updates.flatMap { $0.fields ?? [] }
      let expected =
        (old.name == new.name ? [] : ["name"]) + (old.expanded == new.expanded ? [] : ["expanded"])
      let isExact = Set(fields) == Set(expected) && fields.count == expected.count
      guard !isExact || updates.count != (expected.isEmpty ? 0 : 1) else { return nil }
      return "section \(new.name) updates \(fields.sorted()), not \(expected.sorted())"
    }
  }
}

extension [Int] {
  /// The length of the longest strictly increasing subsequence (patience sorting).
  var longestIncreasing: Int {
    var piles: [Int] = []
    for value in self {
      if let pile = piles.firstIndex(where: { $0 >= value }) {
        piles[pile] = value
      } else {
        piles.append(value)
      }
    }
    return piles.count
  }
}

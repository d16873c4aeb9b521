import TreeDomain
import TreeEngine

// Entries of sections.
extension ChangeWriting {
  /// Writes the entries of the sections themselves.
  mutating func writeSections() {
    let difference = SectionDifference(list, from: old, to: new, showsAll: isSectioned)
    let moved = isSectioned ? Set(difference.placed.map(\.newIndex)) : []
    let updated = Dictionary(
      uniqueKeysWithValues: difference.updated.lazy.filter { moved.contains($0.newIndex) }
        .map { ($0.newIndex, $0) }
    )
    for section in difference.deleted {
      let name = arena.append(section.name[...])
      append(
        Change(.deleteSection(name, index: section.index, isNameless: section.isNameless))
      )
    }
    for placed in difference.placed {
      if let update = updated[placed.newIndex] {
        write(update, isMoved: true)
        continue
      }
      let name = name(ofSection: placed.newIndex)
      let kind: Change.Kind =
        if let index = placed.index {
          .moveSection(name, index: index, newIndex: placed.newIndex)
        } else {
          .insertSection(
            Change.SectionInsertion(
              section: name,
              newIndex: placed.newIndex,
              isExpanded: new.isExpanded[placed.newIndex],
              wasNameless: placed.wasNameless
            )
          )
        }
      append(Change(kind))
    }
    for update in difference.updated where updated[update.newIndex] == nil {
      write(update, isMoved: false)
    }
  }

  private mutating func write(_ update: SectionDifference.Updated, isMoved: Bool) {
    let from = update.formerName.map { arena.append($0[...]) }
    var entry = Change.SectionUpdate(
      section: name(ofSection: update.newIndex),
      index: update.index,
      newIndex: update.newIndex,
      from: from,
      isExpanded: update.isExpanded,
      hasChangedExpansion: update.hasChangedExpansion
    )
    entry.isMoved = isMoved
    append(Change(.updateSection(entry)))
  }

  mutating func newPlace(_ location: SectionRows.Location) -> Change.SectionPlace? {
    guard isSectioned || new.sections.isShown else { return nil }
    let name = name(ofSection: location.section)
    return Change.SectionPlace(section: name, index: location.section, row: location.sectionRow)
  }

  mutating func oldPlace(_ location: SectionRows.Location) -> Change.SectionPlace? {
    guard isSectioned || old.sections.isShown else { return nil }
    let name = arena.append(old.sections.all[location.section].name[...])
    return Change.SectionPlace(section: name, index: location.section, row: location.sectionRow)
  }
}

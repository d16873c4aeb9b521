import TreeEngine

/// The changes of the sections themselves.
///
/// Indexes count the sections that are shown.
struct SectionDifference {
  /// A section that was inserted or moved.
  struct Placed: Equatable {
    /// The former index; nil if the section was inserted.
    var index: Int?
    var newIndex: Int
    /// True if the section existed, but as the only and nameless one, which is not shown.
    var wasNameless = false
  }

  /// A section whose name or expansion changed.
  struct Updated: Equatable {
    var index: Int
    var newIndex: Int
    /// The former name, if it changed.
    var formerName: [UInt8]?
    var isExpanded: Bool
    var hasChangedExpansion: Bool
  }

  /// A section that was deleted.
  struct Deleted: Equatable {
    var index: Int
    /// The former name.
    var name: [UInt8]
    /// True if the section still exists, but as the only and nameless one, which is not shown.
    var isNameless: Bool
  }

  /// Deleted sections, by descending index.
  private(set) var deleted: [Deleted] = []
  /// Inserted and moved sections, by ascending new index.
  private(set) var placed: [Placed] = []
  /// Updated sections, by ascending new index.
  private(set) var updated: [Updated] = []

  /// - Parameters:
  ///   - list: The change list of the engine's rows.
  ///   - old: The sections among the old rows.
  ///   - new: The sections among the new rows.
  ///   - showsAll: True if an only and nameless section counts as well.
  /// - Complexity: O(*s* log *k*) for *s* sections and *k* entries.
  init(_ list: ChangeList, from old: SectionRows, to new: SectionRows, showsAll: Bool) {
    let oldShown = showsAll ? old.sections.all : old.sections.shown
    let newShown = showsAll ? new.sections.all : new.sections.shown
    var formerIndex: [NodeID: Int] = [:]
    for (index, section) in oldShown.enumerated() { formerIndex[section.node] = index }
    var updates: [NodeID: ChangeList.Update] = [:]
    for update in list.updates where new.isHeader(update.newIndex) {
      updates[update.node] = update
    }
    var survivors: Set<NodeID> = []
    for (newIndex, section) in newShown.enumerated() {
      guard let index = formerIndex[section.node] else {
        let wasNameless =
          !showsAll && !old.sections.isShown && old.sections.all[0].node == section.node
        placed.append(Placed(index: nil, newIndex: newIndex, wasNameless: wasNameless))
        continue
      }
      survivors.insert(section.node)
      if list.moves(to: new.headers[newIndex]) {
        placed.append(Placed(index: index, newIndex: newIndex))
      }
      let formerName = oldShown[index].name
      let update = updates[section.node]
      let hasNewName = formerName != section.name
      let hasChangedExpansion = update?.fields.contains(.expanded) == true
      guard hasNewName || hasChangedExpansion else { continue }
      updated.append(
        Updated(
          index: index,
          newIndex: newIndex,
          formerName: hasNewName ? formerName : nil,
          isExpanded: new.isExpanded[newIndex],
          hasChangedExpansion: hasChangedExpansion
        )
      )
    }
    for (index, section) in oldShown.enumerated().reversed()
    where !survivors.contains(section.node) {
      let isNameless =
        !showsAll && !new.sections.isShown && new.sections.all[0].node == section.node
      deleted.append(Deleted(index: index, name: section.name, isNameless: isNameless))
    }
  }
}

extension ChangeList {
  /// Returns true if the row at a new index was moved there.
  func moves(to newIndex: Int) -> Bool {
    var low = 0
    var high = placements.count
    while low < high {
      let middle = (low + high) / 2
      if placements[middle].newIndex <= newIndex { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return false }
    let placement = placements[low - 1]
    return placement.index != nil && newIndex < placement.newIndex + placement.count
  }
}

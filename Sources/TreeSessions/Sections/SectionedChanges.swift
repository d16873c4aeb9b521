import TreeEngine

/// A change list by section, as a table view with sections applies it.
///
/// Its rows are still those of the engine. Rows that only moved along with their section have no
/// entries. A row that left a deleted section, or arrived in an inserted one, is deleted and
/// inserted. The move of a row contains the other fields that changed.
struct SectionedChanges {
  /// The original entries of sections, and the new entries of rows.
  private(set) var list = ChangeList()
  /// The changed fields of moved rows, by new row.
  private(set) var movedFields: [Int: ChangeList.UpdatedFields] = [:]

  /// The keys of ``movedFields``, ascending.
  private var movedRows: [Int] = []
  private let old: SectionRows
  private let new: SectionRows
  private let oldSections: Set<NodeID>
  private let newSections: Set<NodeID>
  /// Moves of rows within a section, or between sections that exist before and after.
  private var moves: [MovedRows] = []
  /// Moves of rows from a deleted section or to an inserted one.
  private var replacements: [MovedRows] = []

  /// Converts a change list of the engine's rows.
  ///
  /// - Parameters:
  ///   - given: The change list.
  ///   - old: The sections among the old rows.
  ///   - new: The sections among the new rows.
  ///   - rowCount: The number of new rows in the engine.
  ///   - maxListed: The maximum number of additional deletions whose nodes are listed.
  ///   - node: Returns the node of a new row.
  ///   - family: The family of a new row.
  /// - Complexity: O((*k* + *s*) log *k*) for *k* entries and *s* sections if no section was
  ///   inserted, deleted or moved; otherwise that of ``SectionShifts``.
  init(
    _ given: ChangeList,
    from old: SectionRows,
    to new: SectionRows,
    rowCount: Int,
    maxListed: Int,
    node: (Int) -> NodeID,
    _ family: MovedRows.Family
  ) {
    (self.old, self.new) = (old, new)
    oldSections = Set(old.sections.all.map(\.node))
    newSections = Set(new.sections.all.map(\.node))
    list.deletedNodes = given.deletedNodes
    var kept: [ChangeList.Placement] = []
    for placement in given.placements {
      guard let index = placement.index else {
        kept.append(placement)
        continue
      }
      let all = MovedRows(placement.newIndex..<(placement.newIndex + placement.count), from: index)
      moves += split(all, &kept)
    }
    if given.placesSections(of: new) || oldSections != newSections {
      let staying = staying(given, rowCount)
      let shifts = SectionShifts(given, from: old, to: new, within: staying, family).runs
      moves = moves.subtracting(shifts)
      moves.sort { $0.rows.lowerBound < $1.rows.lowerBound }
      replacements = moves.filter(isReplaced)
      moves.removeAll(where: isReplaced)
    }
    addUpdates(given)
    addDeletions(given, maxListed, node)
    addPlacements(kept)
  }

  /// Returns the parts of a moved run without section rows, and adds the moves of these to `kept`.
  private func split(
    _ run: MovedRows,
    _ kept: inout [ChangeList.Placement]
  ) -> [MovedRows] {
    var parts: [MovedRows] = []
    var rest = run.rows
    var next = run.rows.lowerBound
    func source(of row: Int) -> Int { run.source + row - run.rows.lowerBound }
    func keepSections(before row: Int) {
      for header in next..<row {
        kept.append(ChangeList.Placement(index: source(of: header), newIndex: header, count: 1))
      }
    }
    while let part = new.popPart(of: &rest) {
      keepSections(before: part.lowerBound)
      parts.append(MovedRows(part, from: source(of: part.lowerBound)))
      next = part.upperBound
    }
    keepSections(before: run.rows.upperBound)
    return parts
  }

  /// Returns the rows without entries in each moved section.
  ///
  /// Rows without entries that are in another section than before are added to ``moves``.
  private mutating func staying(_ given: ChangeList, _ rowCount: Int) -> [Int: [MovedRows]] {
    var staying: [Int: [MovedRows]] = [:]
    given.forEachStay(rowCount: rowCount) { run in
      // After its first section, a run is in the same sections as before.
      guard !new.isHeader(run.rows.lowerBound) else { return }
      let section = new.section(atOrBefore: run.rows.lowerBound)
      let end = section + 1 < new.headers.count ? new.headers[section + 1] : Int.max
      let part = run.split(at: end).before
      let former = old.sections.all[old.section(atOrBefore: part.source)]
      if former.node != new.sections.all[section].node {
        moves.append(part)
      } else if given.moves(to: new.headers[section]) {
        staying[section, default: []].append(part)
      }
    }
    return staying
  }

  /// Returns true if rows left a deleted section or arrived in an inserted one.
  private func isReplaced(_ run: MovedRows) -> Bool {
    let former = old.sections.all[old.section(atOrBefore: run.source)].node
    let present = new.sections.all[new.section(atOrBefore: run.rows.lowerBound)].node
    return !newSections.contains(former) || !oldSections.contains(present)
  }

  /// Adds the updates of rows, except that those of moved rows become ``movedFields``.
  ///
  /// A row that is deleted and inserted needs no update.
  private mutating func addUpdates(_ given: ChangeList) {
    for update in given.updates {
      if moves.contains(row: update.newIndex) {
        movedFields[update.newIndex] = update.fields
        movedRows.append(update.newIndex)
      } else if !replacements.contains(row: update.newIndex) {
        list.updates.append(update)
      }
    }
  }

  private mutating func addDeletions(
    _ given: ChangeList,
    _ maxListed: Int,
    _ node: (Int) -> NodeID
  ) {
    var deletions = Array(given.deletions)
    let isListed = replacements.reduce(0) { $0 + $1.rows.count } <= maxListed
    for run in replacements {
      var deletion = ChangeList.Deletion(index: run.source, count: run.rows.count)
      if isListed || run.rows.count == 1 {
        let start = list.deletedNodes.count
        list.deletedNodes += run.rows.reversed().map(node)
        deletion.nodes = start..<list.deletedNodes.count
      }
      deletions.append(deletion)
    }
    deletions.sort { $0.index > $1.index }
    list.deletions = ShortList(deletions)
  }

  private mutating func addPlacements(_ kept: [ChangeList.Placement]) {
    var placements = kept
    for run in replacements {
      placements.append(ChangeList.Placement(newIndex: run.rows.lowerBound, count: run.rows.count))
    }
    for run in moves {
      placements.append(
        ChangeList.Placement(
          index: run.source,
          newIndex: run.rows.lowerBound,
          count: run.rows.count
        )
      )
    }
    placements.sort { $0.newIndex < $1.newIndex }
    var merged: [ChangeList.Placement] = []
    for placement in placements {
      for part in parts(of: placement) {
        if let last = merged.last, continues(last, part) {
          merged[merged.count - 1].count += part.count
        } else {
          merged.append(part)
        }
      }
    }
    list.placements = ShortList(merged)
  }

  /// Returns the parts of a run, split where the changed fields differ.
  private func parts(of placement: ChangeList.Placement) -> [ChangeList.Placement] {
    guard let index = placement.index else { return [placement] }
    var parts: [ChangeList.Placement] = []
    var row = placement.newIndex
    func append(to end: Int) {
      guard row < end else { return }
      let source = index + row - placement.newIndex
      parts.append(ChangeList.Placement(index: source, newIndex: row, count: end - row))
      row = end
    }
    let end = placement.newIndex + placement.count
    for updated in movedRows[movedRows.firstPlace(notBelow: row)...].prefix(while: { $0 < end }) {
      append(to: updated)
      append(to: updated + 1)
    }
    append(to: end)
    return parts
  }

  private func continues(_ run: ChangeList.Placement, _ next: ChangeList.Placement) -> Bool {
    run.newIndex + run.count == next.newIndex
      && run.index.map { $0 + run.count } == next.index
      && movedFields[next.newIndex] == movedFields[next.newIndex - 1]
  }
}

extension [Int] {
  /// Returns the index of the first number that is not less than another one.
  ///
  /// - Precondition: The numbers are ascending.
  /// - Complexity: O(log *n*).
  fileprivate func firstPlace(notBelow number: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

// Values that the client derives.
extension ReplicaClient {
  /// Compares the rows with the true ones; returns the first difference, or nil.
  package func difference(from truth: [ModelRow]) -> String? {
    guard rows.count == truth.count else {
      return "the replica has \(rows.count) rows, not \(truth.count)"
    }
    let derived = derivedRows
    for (index, (row, actual)) in zip(derived, truth).enumerated() {
      guard actual.agrees(row.object) else {
        return "the replica's row \(index) has another object than \(actual)"
      }
      for field in Set(actual.fieldNames + row.fieldNames) where field != "object" {
        if row.json(field) != actual.json(field) {
          let text = String(decoding: row.json(field) ?? [], as: UTF8.self)
          return "the replica's row \(index) has \(field) \(text), unlike \(actual)"
        }
      }
    }
    return nil
  }

  /// The rows with all fields of the contract.
  private var derivedRows: [ModelRow] {
    let byKey = Dictionary(rows.map { ($0.key, $0) }) { first, _ in first }
    var below: [ModelKey: Int] = [:]
    for row in rows {
      var parent = row.parent
      while let key = parent, let row = byKey[key] {
        below[key, default: 0] += 1
        parent = row.parent
      }
    }
    return rows.enumerated().map { index, row in
      let siblings = rows.indices.filter { areSiblings(rows[$0], row) }
      let first = rows.firstIndex { $0.section == row.section } ?? 0
      let name = row.section.flatMap { id in sections.first { $0.id == id }?.name }
      return ModelRow(
        identity: 0,
        index: index,
        key: row.key,
        parent: row.parent,
        depth: row.depth,
        sectionIdentity: 0,
        section: name,
        sectionRow: name.map { _ in index - first },
        position: siblings.firstIndex(of: index) ?? 0,
        siblingCount: siblings.count,
        expanded: row.expanded,
        childState: row.childState,
        childCount: row.childCount,
        visibleDescendantCount: below[row.key] ?? 0,
        selected: row.selected,
        matched: row.matched,
        object: row.object,
        isMerged: false
      )
    }
  }

  private func areSiblings(_ left: Row, _ right: Row) -> Bool {
    left.parent == right.parent && (left.parent != nil || left.section == right.section)
  }

  // MARK: - Sections

  /// Applies the entries of sections: removals by falling index, insertions by rising index, then
  /// new names.
  mutating func applySections(_ entries: [ChangeList.Entry]) throws(Stuck) {
    var removed: [Int: Section] = [:]
    let leaving = entries.filter { $0.kind == .deleteSection || $0.kind == .moveSection }
    for index in leaving.compactMap(\.index).sorted(by: >) {
      guard sections.indices.contains(index) else {
        throw Stuck(description: "no section \(index)")
      }
      removed[index] = sections.remove(at: index)
    }
    for entry in entries where entry.kind == .insertSection || entry.kind == .moveSection {
      guard let place = entry.newIndex, place <= sections.count, let name = entry.section else {
        throw Stuck(description: "no place for a section")
      }
      let section = entry.index.flatMap { removed[$0] } ?? Section(id: newSection(), name: name)
      sections.insert(section, at: place)
    }
    for entry in entries where entry.kind == .updateSection {
      guard let place = entry.newIndex, sections.indices.contains(place), let name = entry.section
      else { throw Stuck(description: "an update of no section") }
      sections[place].name = name
    }
  }
}

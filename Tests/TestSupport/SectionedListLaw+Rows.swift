extension SectionedListLaw {
  private var survivingSections: Set<Int> {
    Set(before.everySection.map(\.identity)).intersection(after.everySection.map(\.identity))
  }

  /// Returns the identities in the entries of a kind.
  private func identities(_ kind: ChangeList.Kind) -> [Int] {
    list.entries.filter { $0.kind == kind }.flatMap { entry in
      let (old, new) = rows(of: entry)
      return (new.isEmpty ? old : new).map(\.identity)
    }
  }

  /// Returns true if a row and its old and new sections exist before and after.
  private func survives(_ row: ModelRow) -> Bool {
    guard let old = before.rows.first(where: { $0.identity == row.identity }) else { return false }
    return survivingSections.contains(old.sectionIdentity)
      && survivingSections.contains(row.sectionIdentity)
  }

  /// Checks that removed rows are deleted and new rows inserted. Rows that left a deleted section
  /// or entered an inserted one count as both.
  var identityViolations: [String] {
    let surviving = Set(after.rows.filter(survives).map(\.identity))
    let gone = Set(before.rows.map(\.identity)).subtracting(surviving)
    let come = Set(after.rows.map(\.identity)).subtracting(surviving)
    return (Set(identities(.delete)) == gone ? [] : ["deletes are not what left"])
      + (Set(identities(.insert)) == come ? [] : ["inserts are not what came"])
  }

  /// Checks that the entry of each changed row names the changed fields.
  var fieldViolations: [String] {
    var reported: [Int: Set<String>] = [:]
    var found: [String] = []
    for entry in list.entries where entry.kind == .move || entry.kind == .update {
      guard let fields = entry.fields else { continue }
      if fields.isEmpty || Set(fields).count < fields.count { found.append("fields are empty") }
      for row in rows(of: entry).new { reported[row.identity] = Set(fields) }
    }
    for row in after.rows where survives(row) {
      guard let old = before.rows.first(where: { $0.identity == row.identity }) else { continue }
      let expected = row.changedFields(since: old)
      let fields = reported[row.identity] ?? []
      if fields != expected {
        found.append("\(row.key) has the fields \(fields.sorted()), not \(expected.sorted())")
      }
    }
    return found
  }

  // MARK: - Moves

  /// Checks moves: a row moves if its place in the tree or that of an ancestor changed. Other rows
  /// move only if necessary, and in the list of one batch only if an operation moved them.
  var moveViolations: [String] {
    let moved = Set(identities(.move))
    return missingMoves(moved) + needlessMoves(moved) + shiftedRows(moved)
  }

  private func old(_ row: ModelRow) -> ModelRow? {
    before.rows.first { $0.identity == row.identity }
  }

  private func parent(of row: ModelRow) -> ModelRow? {
    row.parent.flatMap { key in after.rows.first { $0.key == key } }
  }

  private func hasNewPlace(_ row: ModelRow) -> Bool {
    guard let old = old(row) else { return false }
    return old.depth != row.depth || old.parent != row.parent
      || old.sectionIdentity != row.sectionIdentity
  }

  private func missingMoves(_ moved: Set<Int>) -> [String] {
    after.rows.compactMap { row in
      guard survives(row), !moved.contains(row.identity) else { return nil }
      if hasNewPlace(row) { return "\(row.key) has a new place, but no move" }
      guard !moves.hasNewOrder, let parent = parent(of: row), moved.contains(parent.identity) else {
        return nil
      }
      return "\(row.key) is below the moved \(parent.key), but has no move"
    }
  }

  /// Finds subtrees that moved within their section, although they could have stayed.
  private func needlessMoves(_ moved: Set<Int>) -> [String] {
    guard !moves.hasNewOrder else { return [] }
    return after.rows.compactMap { row in
      guard moved.contains(row.identity), !hasNewPlace(row) else { return nil }
      if let parent = parent(of: row), moved.contains(parent.identity) || old(parent) == nil {
        return nil
      }
      let section = after.rows.filter { $0.sectionIdentity == row.sectionIdentity }
      let group = stayingRows(of: row, moved)
      let kept = section.filter { survives($0) && !moved.contains($0.identity) }.map(\.identity)
      let wanted = Set(kept).union(group)
      let places = section.filter { wanted.contains($0.identity) }
        .compactMap { oldPaths[$0.identity]?.row }
      return places == places.sorted() ? "the move of \(row.key) was not needed" : nil
    }
  }

  /// Returns the moved rows that would stay with a row.
  private func stayingRows(of root: ModelRow, _ moved: Set<Int>) -> Set<Int> {
    var group: Set<Int> = [root.identity]
    for row in after.rows.sorted(by: { $0.depth < $1.depth })
    where moved.contains(row.identity) && !hasNewPlace(row) {
      if let parent = parent(of: row), group.contains(parent.identity) {
        group.insert(row.identity)
      }
    }
    return group
  }

  /// Finds rows with a move that no operation relocated.
  ///
  /// In a moved section other rows may move instead, but not more.
  private func shiftedRows(_ moved: Set<Int>) -> [String] {
    guard !moves.isSpan, !moves.hasNewOrder else { return [] }
    let places = list.entries.filter { $0.kind == .moveSection }.compactMap(\.newIndex)
    let movedSections = Set(places.map { after.everySection[$0].identity })
    var found: [String] = []
    for section in after.everySection {
      let rows = after.rows.filter { $0.sectionIdentity == section.identity && survives($0) }
      let within = rows.filter { moved.contains($0.identity) && !hasNewPlace($0) }
      let carried = rows.filter { moves.carried.contains($0.identity) }
      if movedSections.contains(section.identity) {
        if within.count > carried.count {
          found.append("\(within.count) rows of \(section.name) move, not \(carried.count)")
        }
      } else {
        found += within.filter { !moves.carried.contains($0.identity) }
          .map { "\($0.key) has a move, but only shifted" }
      }
    }
    return found
  }
}

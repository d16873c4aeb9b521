extension SectionedListLaw {
  private var survivingSections: Set<Int> {
    Set(before.everySection.map(\.identity)).intersection(after.everySection.map(\.identity))
  }

  /// The identities that entries of a kind name.
  private func identities(_ kind: ChangeList.Kind) -> [Int] {
    list.entries.filter { $0.kind == kind }.flatMap { entry in
      let (old, new) = rows(of: entry)
      return (new.isEmpty ? old : new).map(\.identity)
    }
  }

  /// Returns true if a row is there before and after, and its sections then and now are, too.
  private func survives(_ row: ModelRow) -> Bool {
    guard let old = before.rows.first(where: { $0.identity == row.identity }) else { return false }
    return survivingSections.contains(old.sectionIdentity)
      && survivingSections.contains(row.sectionIdentity)
  }

  /// Rows that vanished are deleted and rows that appeared are inserted; so are those that left a
  /// deleted section or came to an inserted one.
  var identityViolations: [String] {
    let surviving = Set(after.rows.filter(survives).map(\.identity))
    let gone = Set(before.rows.map(\.identity)).subtracting(surviving)
    let come = Set(after.rows.map(\.identity)).subtracting(surviving)
    return (Set(identities(.delete)) == gone ? [] : ["deletes are not what left"])
      + (Set(identities(.insert)) == come ? [] : ["inserts are not what came"])
  }

  /// Rows that survive and read differently say so, in one entry.
  var fieldViolations: [String] {
    var told: [Int: Set<String>] = [:]
    var found: [String] = []
    for entry in list.entries where entry.kind == .move || entry.kind == .update {
      guard let fields = entry.fields else { continue }
      if fields.isEmpty || Set(fields).count < fields.count { found.append("fields are empty") }
      for row in rows(of: entry).new { told[row.identity] = Set(fields) }
    }
    for row in after.rows where survives(row) {
      guard let old = before.rows.first(where: { $0.identity == row.identity }) else { continue }
      let expected = row.changedFields(since: old)
      let fields = told[row.identity] ?? []
      if fields != expected {
        found.append("\(row.key) has the fields \(fields.sorted()), not \(expected.sorted())")
      }
    }
    return found
  }

  // MARK: - Moves

  /// A row moves if its place in the tree is another one, or that of a row above; else none moves
  /// that could stay, and in a list of one batch only what an operation took somewhere.
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

  /// Subtrees that moved within their section, and could have stayed.
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

  /// The moved rows that would stay with a row.
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

  /// Rows that have a move though no operation took them anywhere.
  ///
  /// In a section that moved others may move in their place, but not more.
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

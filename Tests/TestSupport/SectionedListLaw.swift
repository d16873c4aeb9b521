/// Checks a change list by sections, which a table with sections can apply as it is.
///
/// A violation is reported as a sentence.
struct SectionedListLaw {
  typealias Path = TableUpdate.Path

  let before: ModelPicture
  let after: ModelPicture
  let list: ChangeList
  let moves: ModelMoves
  /// The old place of each row, by identity.
  let oldPaths: [Int: Path]
  let newPaths: [Int: Path]

  /// Checks a change list.
  ///
  /// - Returns: The violations; empty if there are none.
  static func violations(
    before: ModelPicture,
    after: ModelPicture,
    list: ChangeList,
    moves: ModelMoves
  ) -> [String] {
    let law = SectionedListLaw(before: before, after: after, list: list, moves: moves)
    let shape = law.shapeViolations
    guard shape.isEmpty else { return shape }
    let update = law.update
    let prohibitions = update.prohibitions
    guard prohibitions.isEmpty else { return prohibitions }
    let table = update.applied(to: before.table, reading: after.table)
    let isRight = table == after.table
    return (isRight ? [] : ["applied, the list does not give the new table"])
      + law.orderViolations + law.identityViolations + law.fieldViolations
      + law.sectionViolations + law.moveViolations + law.runViolations
  }

  private init(
    before: ModelPicture,
    after: ModelPicture,
    list: ChangeList,
    moves: ModelMoves
  ) {
    (self.before, self.after, self.list, self.moves) = (before, after, list, moves)
    oldPaths = before.paths
    newPaths = after.paths
  }

  // MARK: - Application

  /// The entries as updates of a table.
  private var update: TableUpdate {
    var update = TableUpdate()
    for entry in list.entries {
      for step in entry.tableSteps {
        switch (entry.kind, step.from, step.to) {
        case (.delete, let from?, nil): update.deletedRows.append(from)
        case (.insert, nil, let to?): update.insertedRows.append(to)
        case (.move, let from?, let to?): update.movedRows.append((from, to))
        case (.update, let from?, let to?): update.updatedRows.append((from, to))
        default: break
        }
      }
      switch (entry.kind, entry.index, entry.newIndex) {
      case (.deleteSection, let from?, nil): update.deletedSections.append(from)
      case (.insertSection, nil, let to?): update.insertedSections.append(to)
      case (.moveSection, let from?, let to?): update.movedSections.append((from, to))
      case (.updateSection, let from?, let to?): update.updatedSections.append((from, to))
      default: break
      }
    }
    return update
  }

  // MARK: - Order

  /// Checks the order: deletions by falling row, then sections, then insertions and moves by rising
  /// row, then updates.
  private var orderViolations: [String] {
    let ranks = list.entries.map(\.kind.rank)
    var found = ranks == ranks.sorted() ? [] : ["the kinds of entries are out of order"]
    for rank in Set(ranks) {
      let group = list.entries.filter { $0.kind.rank == rank }
      let places = group.map { entry in
        entry.kind == .delete || entry.kind == .deleteSection
          ? entry.tablePlace.map { -$0 } : entry.tablePlace
      }
      let isOrdered = zip(places, places.dropFirst()).allSatisfy {
        $0.lexicographicallyPrecedes($1)
      }
      if !isOrdered { found.append("the entries like \(group[0].kind) are out of order") }
    }
    return found
  }

  /// Checks that adjacent entries of one kind form one range.
  private var runViolations: [String] {
    guard list.format == .ranges else { return [] }
    let rows = list.entries.filter { !$0.kind.isAboutSection }
    return zip(rows, rows.dropFirst()).compactMap { first, second in
      guard first.kind == second.kind, first.fields == second.fields else { return nil }
      let isDeletion = first.kind == .delete
      let (earlier, later) = isDeletion ? (second, first) : (first, second)
      let ends = earlier.tableSteps.last
      let begins = later.tableSteps.first
      let continues = ends?.from?.next == begins?.from && ends?.to?.next == begins?.to
      return continues ? "two neighbouring runs of \(first.kind) are not merged" : nil
    }
  }
}

extension ModelPicture {
  /// The identities of the rows of each section.
  fileprivate var table: [[Int]] {
    everySection.map { section in
      rows.filter { $0.sectionIdentity == section.identity }.map(\.identity)
    }
  }

  /// The place of each row, by identity.
  fileprivate var paths: [Int: SectionedListLaw.Path] {
    var paths: [Int: SectionedListLaw.Path] = [:]
    for (section, rows) in table.enumerated() {
      for (row, identity) in rows.enumerated() {
        paths[identity] = SectionedListLaw.Path(section: section, row: row)
      }
    }
    return paths
  }
}

extension SectionedListLaw.Path {
  /// The place behind this one.
  fileprivate var next: Self { Self(section: section, row: row + 1) }
}

extension ChangeList.Entry {
  /// The old and new places of each row of the entry.
  var tableSteps: [(from: SectionedListLaw.Path?, to: SectionedListLaw.Path?)] {
    guard !kind.isAboutSection, let section = sectionIndex, let row = sectionRow else { return [] }
    return (0..<count).map { offset in
      let place = SectionedListLaw.Path(section: section, row: row + offset)
      if kind == .delete { return (place, nil) }
      guard let section = fromSectionIndex, let row = fromSectionRow else { return (nil, place) }
      return (SectionedListLaw.Path(section: section, row: row + offset), place)
    }
  }

  /// The sort key of the entry.
  fileprivate var tablePlace: [Int] {
    if kind.isAboutSection { return [newIndex ?? index ?? 0] }
    return [sectionIndex ?? 0, sectionRow ?? 0]
  }
}

/// Checks a change list against the contract, given the rows before and after.
///
/// A violation is reported as a sentence, so that a failure needs no debugger.
package struct ChangeListLaw {
  let before: [ModelRow]
  let after: [ModelRow]
  let sectionsBefore: [ModelSectionRow]
  let sectionsAfter: [ModelSectionRow]
  let list: ChangeList
  /// The nodes that may move; nil if unknown.
  let moves: ModelMoves?
  /// The entries for deletes, inserts and moves, with a step for each row.
  let steps: [Step]
  /// The old indexes of rows, by identity.
  let oldIndex: [Int: Int]
  /// The new indexes of rows, by identity.
  let newIndex: [Int: Int]

  /// A row of a structural entry.
  struct Step {
    var kind: ChangeList.Kind
    var index: Int?
    var newIndex: Int?
  }

  /// Checks a change list.
  ///
  /// - Parameters:
  ///   - before: The rows and sections before the batch.
  ///   - after: The rows and sections after the batch.
  ///   - list: The change list.
  ///   - moves: The nodes that the operations may have moved; nil if unknown.
  /// - Returns: A sentence for each violation; empty if there are none.
  package static func violations(
    before: ModelPicture,
    after: ModelPicture,
    list: ChangeList,
    moves: ModelMoves?
  ) -> [String] {
    let law = ChangeListLaw(before: before, after: after, list: list, moves: moves)
    let shape = law.shapeViolations
    guard shape.isEmpty else { return shape }
    let structure = law.orderViolations + law.identityViolations + law.applicationViolations
    return structure + law.moveViolations + law.updateViolations + law.runViolations
      + law.sectionViolations
  }

  /// Checks a change list of a tree without sections.
  package static func violations(
    before: [ModelRow],
    after: [ModelRow],
    list: ChangeList,
    relocated: Set<Int>? = nil
  ) -> [String] {
    violations(
      before: ModelPicture(rows: before),
      after: ModelPicture(rows: after),
      list: list,
      moves: relocated.map { ModelMoves(relocated: $0) }
    )
  }

  init(before: ModelPicture, after: ModelPicture, list: ChangeList, moves: ModelMoves?) {
    self.moves = moves
    self.before = before.rows
    self.after = after.rows
    self.list = list
    sectionsBefore = before.sections
    sectionsAfter = after.sections
    let structural: Set<ChangeList.Kind> = [.delete, .insert, .move]
    steps = list.entries.filter { structural.contains($0.kind) }.flatMap(\.steps)
    oldIndex = Dictionary(uniqueKeysWithValues: self.before.enumerated().map { ($1.identity, $0) })
    newIndex = Dictionary(uniqueKeysWithValues: self.after.enumerated().map { ($1.identity, $0) })
  }

  /// Returns the identities of the steps of a kind, by old rows, or by new rows for inserts.
  func identities(_ kind: ChangeList.Kind) -> [Int] {
    steps.filter { $0.kind == kind }.compactMap { step in
      step.index.map { before[$0].identity } ?? step.newIndex.map { after[$0].identity }
    }
  }

  /// Rule 2: deletes by falling index, then sections, then inserts and moves by rising index,
  /// updates last.
  private var orderViolations: [String] {
    let ranks = list.entries.map(\.kind.rank)
    var found = ranks == ranks.sorted() ? [] : ["the kinds of entries are out of order"]
    for rank in Set(ranks).sorted() {
      let group = list.entries.filter { $0.kind.rank == rank }
      let places = group.map { entry in
        entry.kind.isFromTheTop ? -(entry.index ?? 0) : (entry.newIndex ?? 0)
      }
      if zip(places, places.dropFirst()).contains(where: >=) {
        let names = Set(group.map { "\($0.kind)s" }).sorted().joined(separator: " and ")
        found.append("the \(names) are out of order")
      }
    }
    return found
  }

  /// Rules 1 and 4: vanished rows are deleted, new rows inserted, and each row has one step.
  private var identityViolations: [String] {
    var found: [String] = []
    let all = steps.compactMap { step in
      step.index.map { before[$0].identity } ?? step.newIndex.map { after[$0].identity }
    }
    if Set(all).count < all.count { found.append("a row has two structural entries") }
    let vanished = Set(oldIndex.keys).subtracting(newIndex.keys)
    let appeared = Set(newIndex.keys).subtracting(oldIndex.keys)
    if Set(identities(.delete)) != vanished { found.append("deletes are not what vanished") }
    if Set(identities(.insert)) != appeared { found.append("inserts are not what appeared") }
    for step in steps where step.kind == .move {
      guard let index = step.index, let newIndex = step.newIndex else { continue }
      if before[index].identity != after[newIndex].identity {
        found.append("the move from \(index) to \(newIndex) mixes \(name(index)) with another row")
      }
    }
    return found
  }

  /// Rule 2: applied by a list view, the entries turn the old rows into the new ones.
  private var applicationViolations: [String] {
    var rows = before.map(\.identity)
    for index in steps.compactMap(\.index).sorted(by: >) where rows.indices.contains(index) {
      rows.remove(at: index)
    }
    for target in steps.compactMap(\.newIndex).sorted() {
      guard target <= rows.count else { return ["the insertion at \(target) is past the end"] }
      rows.insert(after[target].identity, at: target)
    }
    return rows == after.map(\.identity) ? [] : ["applied, the list does not give the new rows"]
  }

  func name(_ index: Int) -> String {
    "row \(index) (\(before[index].key))"
  }
}

extension ChangeList.Entry {
  /// The steps of the entry, one for each row.
  var steps: [ChangeListLaw.Step] {
    (0..<count).map { offset in
      ChangeListLaw.Step(
        kind: kind,
        index: index.map { $0 + offset },
        newIndex: newIndex.map { $0 + offset }
      )
    }
  }
}

extension ChangeList.Kind {
  /// The rank of the kind in the order of a list.
  var rank: Int {
    switch self {
    case .delete: 0
    case .deleteSection: 1
    case .insertSection, .moveSection: 2
    case .updateSection: 3
    case .insert, .move: 4
    case .update: 5
    }
  }

  /// True if entries of the kind have falling indexes.
  fileprivate var isFromTheTop: Bool {
    self == .delete || self == .deleteSection
  }
}

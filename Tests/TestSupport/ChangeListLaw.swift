/// The law of change lists: what the contract says of one, checked against the rows before and
/// after.
///
/// Every broken rule is reported as a sentence, so that a failure reads without a debugger.
package struct ChangeListLaw {
  let before: [ModelRow]
  let after: [ModelRow]
  let list: ChangeList
  let relocated: Set<Int>?
  /// The structural entries with their runs expanded, one row each.
  let steps: [Step]
  /// Where the rows of an identity were.
  let oldIndex: [Int: Int]
  /// Where the rows of an identity are.
  let newIndex: [Int: Int]

  /// One row of one structural entry.
  struct Step {
    var kind: ChangeList.Kind
    var index: Int?
    var newIndex: Int?
  }

  /// Checks a change list.
  ///
  /// - Parameters:
  ///   - before: The rows before the batch.
  ///   - after: The rows after it.
  ///   - list: The change list.
  ///   - relocated: The identities that the batch took to another place; `nil` when not known.
  /// - Returns: What is wrong with it, a sentence for each finding; empty when it is right.
  package static func violations(
    before: [ModelRow],
    after: [ModelRow],
    list: ChangeList,
    relocated: Set<Int>? = nil
  ) -> [String] {
    let law = ChangeListLaw(before: before, after: after, list: list, relocated: relocated)
    let shape = law.shapeViolations
    guard shape.isEmpty else { return shape }
    let structure = law.orderViolations + law.identityViolations + law.applicationViolations
    return structure + law.moveViolations + law.updateViolations + law.runViolations
  }

  init(before: [ModelRow], after: [ModelRow], list: ChangeList, relocated: Set<Int>?) {
    self.relocated = relocated
    self.before = before
    self.after = after
    self.list = list
    steps = list.entries.filter { $0.kind != .update }.flatMap(\.steps)
    oldIndex = Dictionary(uniqueKeysWithValues: before.enumerated().map { ($1.identity, $0) })
    newIndex = Dictionary(uniqueKeysWithValues: after.enumerated().map { ($1.identity, $0) })
  }

  /// The identities that a kind of step names, by their rows before, or after for inserts.
  func identities(_ kind: ChangeList.Kind) -> [Int] {
    steps.filter { $0.kind == kind }.compactMap { step in
      step.index.map { before[$0].identity } ?? step.newIndex.map { after[$0].identity }
    }
  }

  /// Rule 2: deletes from the highest index down, inserts and moves from the lowest up, updates
  /// last.
  private var orderViolations: [String] {
    let ranks = list.entries.map { entry in
      switch entry.kind {
      case .delete: 0
      case .insert, .move: 1
      case .update: 2
      }
    }
    var found = ranks == ranks.sorted() ? [] : ["the kinds of entries are out of order"]
    for (rank, name) in [(0, "deletes"), (1, "inserts and moves"), (2, "updates")] {
      let group = list.entries.filter { entry in
        switch entry.kind {
        case .delete: rank == 0
        case .insert, .move: rank == 1
        case .update: rank == 2
        }
      }
      let places = group.map { rank == 0 ? -($0.index ?? 0) : ($0.newIndex ?? 0) }
      if zip(places, places.dropFirst()).contains(where: >=) {
        found.append("the \(name) are out of order")
      }
    }
    return found
  }

  /// Rules 1 and 4: what vanished is deleted, what appeared is inserted, and each row once.
  private var identityViolations: [String] {
    var found: [String] = []
    let all = steps.compactMap { step in
      step.index.map { before[$0].identity } ?? step.newIndex.map { after[$0].identity }
    }
    if Set(all).count < all.count { found.append("a row stands in two structural entries") }
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

  /// Rule 2: applied as a list view applies it, the entries turn the old rows into the new ones.
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
  /// The entry's rows, one step each.
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

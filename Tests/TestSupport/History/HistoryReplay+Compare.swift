extension HistoryReplay {
  /// Compares a change list with the current and former state of a session of the model.
  func compare(
    _ list: ChangeList,
    _ before: ModelPicture,
    _ model: ModelSession,
    _ moves: ModelMoves,
    _ name: String
  ) throws(HistoryChecker.Violation) {
    let after = model.picture
    let found = ChangeListLaw.violations(before: before, after: after, list: list, moves: moves)
    if let first = found.first { throw violation("\(name): \(first)") }
    guard list.rowCount == after.rows.count else {
      throw violation("\(name) has \(list.rowCount) rows, not \(after.rows.count)")
    }
  }

  /// Compares a read with the current state of its session.
  func compareRead(_ number: Int, _ member: Member) throws(HistoryChecker.Violation) {
    switch index.history.reads[number].content {
    case .page(let page): try compare(page, member.model.rows, "read \(number)")
    case .changes(_, let list): try compare(list, member, "read \(number)")
    case .tree, .export: break
    }
  }

  /// Compares a read of the tree with its current state.
  func compareTree(_ number: Int) throws(HistoryChecker.Violation) {
    guard let shared else { return }
    switch index.history.reads[number].content {
    case .tree(_, let count) where count != shared.nodeCount:
      throw violation("read \(number) has \(count) nodes, not \(shared.nodeCount)")
    case .export(_, let lines):
      let expected = shared.exportedLines
      guard lines.map(\.compactBytes) != expected.map(\.compactBytes) else { return }
      let place = zip(lines, expected).prefix { $0.compactBytes == $1.compactBytes }.count
      let texts = [lines, expected].map { $0.dropFirst(place).first?.text ?? "nothing" }
      throw violation("read \(number) exports \(texts[0]) as line \(place), not \(texts[1])")
    default: break
    }
  }

  private func compare(
    _ page: TreeHistory.Page,
    _ rows: [ModelRow],
    _ name: String
  ) throws(HistoryChecker.Violation) {
    guard page.rowCount == rows.count else {
      throw violation("\(name) has \(page.rowCount) rows, not \(rows.count)")
    }
    guard page.offset + page.rows.count <= rows.count else {
      throw violation("\(name) shows rows behind the last one")
    }
    for (row, json) in zip(rows[page.offset...], page.rows) {
      if let difference = row.difference(from: json) { throw violation("\(name): \(difference)") }
    }
  }

  private func compare(
    _ list: ChangeList,
    _ member: Member,
    _ name: String
  ) throws(HistoryChecker.Violation) {
    guard let since = member.indices[list.previousRevision] else {
      throw violation("\(name) begins at \(list.previousRevision), which the session never had")
    }
    let origin = member.model.origin(since: since)
    let found = (list.treeRevision, list.nodeCount, list.origin ?? origin)
    let expected = (revision, member.model.nodeCount, origin)
    guard found == expected else { throw violation("\(name) has \(found), not \(expected)") }
    let before = member.model.picture(at: since)
    try compare(list, before, member.model, member.model.moves(since: since), name)
  }
}

import TreeDomain
import TreeEngine

// Answers that describe the changes of a session's rows, in the form that its client wants.
extension TreeManager {
  /// Returns an answer about the changes of a session.
  ///
  /// Entries and included rows may each have half of an answer's bytes.
  ///
  /// - Parameters:
  ///   - list: The net difference of the engine's rows.
  ///   - session: The session.
  ///   - revisions: The revisions before and after the changes.
  ///   - former: The sections before the changes.
  ///   - unloaded: The expanded nodes whose children are not loaded.
  ///   - traits: Further facts for the answer.
  ///   - options: The format and the included rows.
  ///   - meter: Counts the work, and may stop it; nil if there is little.
  /// - Returns: The answer.
  /// - Throws: The errors of the meter.
  func answer(
    _ list: ChangeList,
    for session: OpenSession,
    _ revisions: AnswerRevisions,
    sectionsBefore former: TreeSections,
    unloaded: [NodeID],
    traits: AnswerTraits = AnswerTraits(),
    _ options: BatchOptions,
    _ meter: WorkMeter?
  ) throws(ServiceError) -> BatchAnswer {
    var answer = BatchAnswer(
      session: session.id,
      previousRevision: revisions.previous,
      revision: revisions.now,
      treeRevision: revisions.tree,
      rowCount: rowCount(of: session),
      nodeCount: nodeCount,
      origin: revisions.origin,
      hasCreatedNode: traits.hasCreatedNode
    )
    if let key = traits.revealedKey {
      answer.revealed = RevealedRow(index: rowIndex(ofKey: key, in: session))
    }
    try writeText(of: &answer, with: list, for: session, former, unloaded, options, meter)
    if answer.text == nil {
      try fill(&answer, with: list, for: session, former, unloaded, options, meter)
    }
    return answer
  }

  /// Returns the index of the row with a key; nil if the node is hidden or does not exist.
  private func rowIndex(ofKey key: ArraySlice<UInt8>, in session: OpenSession) -> Int? {
    guard let node = tree.node(forKey: key.span) else { return nil }
    return rowIndex(of: node, in: session, sectionRows(of: session))
  }

  /// Sets the keys of unloaded nodes in an answer without a list of changes.
  private func fillKeys(_ answer: inout BatchAnswer, _ unloaded: [NodeID]) {
    var arena = AnswerArena()
    for node in unloaded
    where !isSection(node) && arena.bytes.count <= limits.maxAnswerBytes / 2 {
      answer.unloaded.append(arena.key(of: node, in: self))
    }
    answer.arena = arena.bytes
    answer.format = .none
  }

  /// Sets the lists of an answer.
  private func fill(
    _ answer: inout BatchAnswer,
    with list: ChangeList,
    for session: OpenSession,
    _ former: TreeSections,
    _ unloaded: [NodeID],
    _ options: BatchOptions,
    _ meter: WorkMeter?
  ) throws(ServiceError) {
    try meter?.count(unloaded.count)
    if options.format == .none { return fillKeys(&answer, unloaded) }
    let entryCount = list.deletions.count + list.placements.count + list.updates.count
    try meter?.count(Self.stepsPerEntry * (entryCount + sections.all.count))
    let new = sectionRows(of: session, showsAll: options.isSectioned)
    let old = former == sections && list.keepsRows ? new : formerRows(former, list, new)
    let (list, movedFields) = told(list, from: old, to: new, session, options)
    let isLong = hasTooManyEntries(list, new)
    var writing = ChangeWriting(
      list,
      of: session.view,
      from: old,
      to: new,
      options.includedRows,
      options.fields.shown(in: self, session),
      movedFields: movedFields,
      maxBytes: limits.maxAnswerBytes / 2,
      meter
    )
    answer.isSectioned = options.isSectioned
    answer.format = writing.write(isLong ? .ranges : options.format, of: self)
    for node in unloaded where !isSection(node) && !writing.isFull {
      answer.unloaded.append(writing.key(of: node, in: self))
    }
    if let refusal = writing.refusal { throw refusal }
    answer.changes = writing.changes
    answer.rows = writing.popRows()
    answer.arena = writing.arena.bytes
  }

  /// The cost of one entry of a list, in steps of the meter.
  static var stepsPerEntry: Int { 4 }

  /// Returns a change list without redundant moves, grouped by section if that is wanted.
  ///
  /// If it is grouped, also returns the changed fields of moved rows.
  private func told(
    _ list: ChangeList,
    from old: SectionRows,
    to new: SectionRows,
    _ session: OpenSession,
    _ options: BatchOptions
  ) -> (ChangeList, movedFields: [Int: ChangeList.UpdatedFields]?) {
    guard options.isSectioned else {
      return (list.withoutShifts(from: old, to: new) { row in family(ofRow: row, session) }, nil)
    }
    let changes = SectionedChanges(
      list,
      from: old,
      to: new,
      rowCount: tree.rowCount(of: session.view),
      maxListed: limits.maxChanges,
      node: { row in tree.node(atRow: row, in: session.view) }
    ) { row in family(ofRow: row, session) }
    return (changes.list, changes.movedFields)
  }

  /// Returns the row of a row's parent, and the end of the row's descendants if they follow it.
  private func family(ofRow row: Int, _ session: OpenSession) -> (parent: Int, end: Int?) {
    let node = tree.node(atRow: row, in: session.view)
    let around = tree.row(of: node, in: session.view)
    let parent = tree.rowIndex(of: around.parent, in: session.view)
    guard let parent else { preconditionFailure("a row of a section is below another row") }
    let isInPreOrder = session.options.order != .breadthFirst
    return (parent, isInPreOrder ? row + 1 + around.visibleDescendantCount : nil)
  }

  /// Returns true if one entry for each row would be more than ``SessionLimits/maxChanges``.
  private func hasTooManyEntries(_ list: ChangeList, _ new: SectionRows) -> Bool {
    let excess = list.rowEntryCount - limits.maxChanges
    // An update of a section row is not listed, although it is a row of the engine.
    guard 1...new.headers.count ~= excess else { return excess > 0 }
    return list.updates.count { new.isHeader($0.newIndex) } < excess
  }

  /// Returns the rows that the sections had before the changes.
  private func formerRows(
    _ former: TreeSections,
    _ list: ChangeList,
    _ new: SectionRows
  ) -> SectionRows {
    if former.all.count == 1 { return SectionRows(former, headers: [0]) }
    var rows: [NodeID: Int] = [:]
    for (section, row) in zip(new.sections.all, list.oldIndexes(ofNew: new.headers)) {
      rows[section.node] = row
    }
    // With several sections, every deleted row is listed, and so is every deleted section.
    for deletion in list.deletions {
      for (offset, place) in (deletion.nodes ?? 0..<0).enumerated() {
        rows[list.deletedNodes[place]] = deletion.index + deletion.count - 1 - offset
      }
    }
    return SectionRows(
      former,
      headers: former.all.map { section in
        guard let row = rows[section.node] else {
          preconditionFailure("a section that was a row is one still, or is listed as deleted")
        }
        return row
      }
    )
  }
}

extension ChangeList {
  /// True if no row changed its index.
  fileprivate var keepsRows: Bool { deletions.isEmpty && placements.isEmpty }
}

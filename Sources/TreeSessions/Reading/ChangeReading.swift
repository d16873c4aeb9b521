import JSON
import TreeDomain
import TreeEngine

/// A reading of the changes of a session's rows, in the form that its client wants.
struct ChangeReading {
  private let session: OpenSession
  private let options: BatchOptions
  /// Counts the work, and may stop it; nil if there is little.
  private let meter: WorkMeter?

  /// Begins a reading.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - options: The format and the included rows.
  ///   - meter: Counts the work, and may stop it; nil if there is little.
  init(of session: OpenSession, _ options: BatchOptions, _ meter: WorkMeter?) {
    (self.session, self.options, self.meter) = (session, options, meter)
  }

  /// The number of nodes for which a commit counts in the estimated size.
  private static var nodesPerCommit: Int { 4 }

  /// Returns the net changes of a session since a revision.
  ///
  /// A revision above the current one is from before a backup was restored, or from another
  /// service. The client's state is unknown then.
  ///
  /// - Throws: `history-expired`, and the errors of the meter.
  func changes(
    since: Revision,
    in content: borrowing TreeContent
  ) throws(ServiceError) -> BatchAnswer {
    var revisions = AnswerRevisions(
      previous: since,
      now: session.revision,
      tree: content.treeRevision,
      origin: .own
    )
    guard since != session.revision else {
      return try answer(
        ChangeList(),
        revisions,
        sectionsBefore: content.sections.list,
        unloaded: [],
        in: content
      )
    }
    guard since < session.revision, let commit = session.revisions.commit(at: since),
      commit >= content.tree.oldestCommit(of: session.view)
    else { throw .historyExpired(at: session.revision, rowCount: content.rowCount(of: session)) }
    // The estimate assumes that a commit touches a few nodes.
    try content.demand(nodes: Self.nodesPerCommit * Int(session.revision.number - since.number))
    revisions.origin = session.revisions.origin(since: since)
    let isListed = options.format != .none
    let isOneCommit = since.next == session.revision
    let (list, unloaded) = try content.tree.counted(by: content.meter) {
      tree,
      count throws(Interruption) in
      let list =
        isListed
        ? try tree.changes(
          of: session.view,
          since: commit,
          isOneCommit: isOneCommit,
          counting: count
        ) : ChangeList()
      return (list, try tree.expandedUnloaded(in: session.view, since: commit, counting: count))
    }
    return try answer(
      list,
      revisions,
      sectionsBefore: content.sections.list(after: commit),
      unloaded: unloaded,
      in: content
    )
  }

  /// Returns an answer about the changes of a session.
  ///
  /// Entries and included rows may each have half of an answer's bytes.
  ///
  /// - Parameters:
  ///   - list: The net difference of the engine's rows.
  ///   - revisions: The revisions before and after the changes.
  ///   - former: The sections before the changes.
  ///   - unloaded: The expanded nodes whose children are not loaded.
  ///   - traits: Further facts for the answer.
  ///   - content: The content of the tree.
  /// - Returns: The answer.
  /// - Throws: The errors of the meter.
  func answer(
    _ list: ChangeList,
    _ revisions: AnswerRevisions,
    sectionsBefore former: TreeSections,
    unloaded: [NodeID],
    traits: AnswerTraits = AnswerTraits(),
    in content: borrowing TreeContent
  ) throws(ServiceError) -> BatchAnswer {
    var answer = BatchAnswer(
      session: session.id,
      previousRevision: revisions.previous,
      revision: revisions.now,
      treeRevision: revisions.tree,
      rowCount: content.rowCount(of: session),
      nodeCount: content.nodeCount,
      origin: revisions.origin,
      hasCreatedNode: traits.hasCreatedNode
    )
    if let key = traits.revealedKey {
      answer.revealed = RevealedRow(index: rowIndex(ofKey: key, content))
    }
    try writeText(of: &answer, with: list, former, unloaded, content)
    if answer.text == nil {
      try fill(&answer, with: list, former, unloaded, content)
    }
    return answer
  }

  /// Returns the index of the row with a key; nil if the node is hidden or does not exist.
  private func rowIndex(ofKey key: ArraySlice<UInt8>, _ content: borrowing TreeContent) -> Int? {
    guard let node = content.tree.node(forKey: key.span) else { return nil }
    return content.rowIndex(of: node, in: session, content.sectionRows(of: session))
  }

  /// Sets the keys of unloaded nodes in an answer without a list of changes.
  private func fillKeys(
    _ answer: inout BatchAnswer,
    _ unloaded: [NodeID],
    _ content: borrowing TreeContent
  ) {
    var arena = AnswerArena()
    for node in unloaded
    where !content.tree.isSection(node) && arena.bytes.count <= content.limits.maxAnswerBytes / 2 {
      answer.unloaded.append(arena.key(of: node, in: content))
    }
    answer.arena = arena.bytes
    answer.format = .none
  }

  /// Sets the lists of an answer.
  private func fill(
    _ answer: inout BatchAnswer,
    with list: ChangeList,
    _ former: TreeSections,
    _ unloaded: [NodeID],
    _ content: borrowing TreeContent
  ) throws(ServiceError) {
    try meter?.count(unloaded.count)
    if options.format == .none { return fillKeys(&answer, unloaded, content) }
    let entryCount = list.deletions.count + list.placements.count + list.updates.count
    try meter?.count(Self.stepsPerEntry * (entryCount + content.sections.all.count))
    let new = content.sectionRows(of: session, showsAll: options.isSectioned)
    let old =
      former == content.sections.list && list.keepsRows ? new : formerRows(former, list, new)
    let (list, movedFields) = simplified(list, from: old, to: new, content)
    let isLong = hasTooManyEntries(list, new, content)
    var writing = ChangeWriting(
      list,
      of: session.view,
      from: old,
      to: new,
      options.includedRows,
      options.fields.shown(in: content, session),
      movedFields: movedFields,
      maxBytes: content.limits.maxAnswerBytes / 2,
      meter
    )
    answer.isSectioned = options.isSectioned
    answer.format = writing.write(isLong ? .ranges : options.format, of: content)
    for node in unloaded where !content.tree.isSection(node) && !writing.isFull {
      answer.unloaded.append(writing.key(of: node, in: content))
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
  private func simplified(
    _ list: ChangeList,
    from old: SectionRows,
    to new: SectionRows,
    _ content: borrowing TreeContent
  ) -> (ChangeList, movedFields: [Int: ChangeList.UpdatedFields]?) {
    guard options.isSectioned else {
      return (list.withoutShifts(from: old, to: new) { row in family(ofRow: row, content) }, nil)
    }
    let changes = SectionedChanges(
      list,
      from: old,
      to: new,
      rowCount: content.tree.rowCount(of: session.view),
      maxListed: content.limits.maxChanges,
      node: { row in content.tree.node(atRow: row, in: session.view) }
    ) { row in family(ofRow: row, content) }
    return (changes.list, changes.movedFields)
  }

  /// Returns the row of a row's parent, and the end of the row's descendants if they follow it.
  private func family(ofRow row: Int, _ content: borrowing TreeContent) -> (parent: Int, end: Int?)
  {
    let node = content.tree.node(atRow: row, in: session.view)
    let around = content.tree.row(of: node, in: session.view)
    let parent = content.tree.rowIndex(of: around.parent, in: session.view)
    guard let parent else { preconditionFailure("a row of a section is below another row") }
    let isInPreOrder = session.options.order != .breadthFirst
    return (parent, isInPreOrder ? row + 1 + around.visibleDescendantCount : nil)
  }

  /// Returns true if one entry for each row would be more than ``SessionLimits/maxChanges``.
  private func hasTooManyEntries(
    _ list: ChangeList,
    _ new: SectionRows,
    _ content: borrowing TreeContent
  ) -> Bool {
    let excess = list.rowEntryCount - content.limits.maxChanges
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

  /// Encodes the changes of a session, in the most common and simple case.
  ///
  /// The answer must have few entries, one for each row, and no included rows. The tree must have
  /// the same single, nameless section as before. Otherwise the answer gets no text.
  ///
  /// - Parameters:
  ///   - answer: The answer without lists, which gets its text.
  ///   - list: The net difference of the engine's rows.
  ///   - former: The sections before the changes.
  ///   - unloaded: The expanded nodes whose children are not loaded.
  ///   - content: The content of the tree.
  /// - Throws: The errors of the meter.
  private func writeText(
    of answer: inout BatchAnswer,
    with list: ChangeList,
    _ former: TreeSections,
    _ unloaded: [NodeID],
    _ content: borrowing TreeContent
  ) throws(ServiceError) {
    guard options.isWritten, options.format == .rows, options.includedRows == 0,
      !options.isSectioned,
      !content.sections.isShown, !former.isShown, content.sections.first == former.all[0].node
    else { return }
    let entryCount = list.rowEntryCount
    guard entryCount <= content.limits.maxChanges else { return }
    try meter?.count(entryCount + unloaded.count)
    var writing = EntryWriting(of: content, maxBytes: content.limits.maxAnswerBytes / 2, meter)
    var writer = JSONWriter()
    writer.reserve(512 + 192 * min(entryCount, 1_024))
    answer.write(to: &writer) { writer in
      writing.write(list, of: session.view, in: content, to: &writer)
    } unloaded: { writer in
      writing.write(keysOf: unloaded, in: content, to: &writer)
    }
    if let refusal = writing.refusal { throw refusal }
    if !writing.isOverfull { answer.text = writer.finish() }
  }
}

extension ChangeList {
  /// True if no row changed its index.
  fileprivate var keepsRows: Bool { deletions.isEmpty && placements.isEmpty }
}

import JSON
import TreeDomain
import TreeEngine

// The answer to a change that was made on a copy, after other changes were replayed before it.
extension TreeManager {
  /// Writes the answer to the change of this copy again, after other changes were replayed before
  /// it.
  ///
  /// - Throws: The errors of the meter.
  mutating func answerAgain(
    to session: OpenSession,
    _ options: BatchOptions
  ) throws(ServiceError) -> BatchAnswer {
    var answer = try listAgain(to: session, options)
    if options.replayKey != nil, answer.text == nil {
      answer.text = JSONWriter.text { answer.write(to: &$0) }
    }
    return answer
  }

  /// Writes the answer to a patch that was made on this copy again; see ``answerAgain(to:_:)``.
  ///
  /// - Throws: The errors of the meter.
  mutating func answerAgain(
    toPatchOf session: OpenSession,
    _ options: BatchOptions
  ) throws(ServiceError) -> PatchAnswer {
    let list = try listAgain(to: session, options)
    var answer = PatchAnswer(description(of: session), list)
    answer.description.setRevisions(of: list)
    if options.replayKey != nil {
      answer.list.text = JSONWriter.text { answer.write(to: &$0) }
    }
    return answer
  }

  private func listAgain(
    to session: OpenSession,
    _ options: BatchOptions
  ) throws(ServiceError) -> BatchAnswer {
    let (list, unloaded) = try changes(
      of: session,
      isListed: options.format != .none,
      content.meter
    )
    return try ChangeReading(of: session, options, content.meter).answer(
      list,
      pendingRevisions(of: session),
      sectionsBefore: content.sections.before,
      unloaded: unloaded,
      traits: copying.pending?.traits ?? AnswerTraits(),
      in: content
    )
  }

  /// Updates a session's answer to the change of this copy, after other changes were replayed before
  /// it.
  ///
  /// - Returns: False if the other changes may have changed entries or included rows.
  func update(
    _ answer: inout BatchAnswer,
    of id: SessionID,
    _ options: BatchOptions,
    after changes: [ChangeLog.Change]
  ) -> Bool {
    guard options.includedRows == 0, let session = sessions[id] else { return false }
    for change in changes where content.tree.showsEffect(of: change.record, in: session.view) {
      return false
    }
    let revisions = pendingRevisions(of: session)
    answer.changeHead { [nodeCount = content.nodeCount] head in
      head.previousRevision = revisions.previous
      head.revision = revisions.now
      head.treeRevision = revisions.tree
      head.nodeCount = nodeCount
    }
    return true
  }

  /// Updates a session's answer to a patch; see ``update(_:of:_:after:)``.
  ///
  /// - Returns: False also if the answer has its text.
  func update(
    _ answer: inout PatchAnswer,
    of id: SessionID,
    _ options: BatchOptions,
    after changes: [ChangeLog.Change]
  ) -> Bool {
    guard answer.list.text == nil, let session = sessions[id],
      update(&answer.list, of: id, options, after: changes)
    else { return false }
    answer.description = description(of: session)
    answer.description.setRevisions(of: answer.list)
    return true
  }

  /// Returns the revisions before and after the change of this copy.
  private func pendingRevisions(of session: OpenSession) -> AnswerRevisions {
    guard let pending = copying.pending else { preconditionFailure("no change was made") }
    return AnswerRevisions(
      previous: session.revision,
      now: pending.author != nil ? session.revision.next : session.revision,
      tree: pending.isData ? content.treeRevision.next : content.treeRevision
    )
  }

  /// Returns the answer to a change that was sent to the tree, as ``answerAgain(to:_:)`` does for
  /// a session.
  func answerAgain(applied: Int) -> TreeBatchAnswer {
    TreeBatchAnswer(
      tree: id,
      previousRevision: content.treeRevision,
      revision: copying.pending?.isData == true ? content.treeRevision.next : content.treeRevision,
      nodeCount: content.nodeCount,
      applied: applied
    )
  }
}

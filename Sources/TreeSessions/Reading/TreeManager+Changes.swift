import TreeDomain
import TreeEngine

// What changed since a revision.
extension TreeManager {
  /// What changed in a session since a revision, as one net change.
  ///
  /// - Throws: `invalid-request` for a revision to come, `history-expired`.
  func changes(
    of session: OpenSession,
    since: Revision,
    _ options: BatchOptions
  ) throws(ServiceError) -> BatchAnswer {
    guard since <= session.revision else {
      var error = ServiceError(
        .invalidRequest,
        "`since` is above the session's revision, which is \(session.revision.number); read the "
          + "rows again and follow from `revision` on."
      )
      error.revision = session.revision
      throw error
    }
    let revisions = AnswerRevisions(
      previous: since,
      now: session.revision,
      tree: treeRevision
    )
    guard since < session.revision else {
      return answer(
        ChangeList(),
        for: session,
        revisions,
        sectionsBefore: sections,
        unloaded: [],
        options
      )
    }
    guard let commit = session.revisions.commit(at: since),
      commit >= tree.oldestCommit(of: session.view)
    else { throw .historyExpired(at: session.revision, rowCount: rowCount(of: session)) }
    try afford(changesOf: session, since: since)
    return answer(
      tree.changes(of: session.view, since: commit),
      for: session,
      revisions,
      sectionsBefore: sections(after: commit),
      unloaded: tree.expandedUnloaded(in: session.view, since: commit),
      options
    )
  }
}

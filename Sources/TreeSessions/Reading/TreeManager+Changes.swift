import TreeDomain
import TreeEngine

// What changed since a revision.
extension TreeManager {
  /// The number of nodes that a commit of the history is taken for.
  private static var nodesPerCommit: Int { 4 }

  /// Returns what changed in a session since a revision, as one net change.
  ///
  /// A revision above the current one was given out before a backup was restored, or by another
  /// service: what the client has is not known here.
  ///
  /// - Throws: `history-expired`.
  func changes(
    of session: OpenSession,
    since: Revision,
    _ options: BatchOptions
  ) throws(ServiceError) -> BatchAnswer {
    var revisions = AnswerRevisions(
      previous: since,
      now: session.revision,
      tree: treeRevision,
      origin: .own
    )
    guard since != session.revision else {
      return answer(
        ChangeList(),
        for: session,
        revisions,
        sectionsBefore: sections,
        unloaded: [],
        options
      )
    }
    guard since < session.revision, let commit = session.revisions.commit(at: since),
      commit >= tree.oldestCommit(of: session.view)
    else { throw .historyExpired(at: session.revision, rowCount: rowCount(of: session)) }
    // A commit counts for as many nodes as one usually touches.
    try demand(nodes: Self.nodesPerCommit * Int(session.revision.number - since.number))
    revisions.origin = session.revisions.origin(since: since)
    return answer(
      options.format == .none
        ? ChangeList()
        : tree.changes(
          of: session.view,
          since: commit,
          isOneCommit: since.next == session.revision
        ),
      for: session,
      revisions,
      sectionsBefore: sections(after: commit),
      unloaded: tree.expandedUnloaded(in: session.view, since: commit),
      options
    )
  }
}

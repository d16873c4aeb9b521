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
  /// - Throws: `history-expired`; what the meter throws.
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
      return try answer(
        ChangeList(),
        for: session,
        revisions,
        sectionsBefore: sections,
        unloaded: [],
        options,
        meter
      )
    }
    guard since < session.revision, let commit = session.revisions.commit(at: since),
      commit >= tree.oldestCommit(of: session.view)
    else { throw .historyExpired(at: session.revision, rowCount: rowCount(of: session)) }
    // A commit counts for as many nodes as one usually touches.
    try demand(nodes: Self.nodesPerCommit * Int(session.revision.number - since.number))
    revisions.origin = session.revisions.origin(since: since)
    let isListed = options.format != .none
    let isOneCommit = since.next == session.revision
    let (list, unloaded) = try counted(by: meter) { tree, count throws(Interruption) in
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
      for: session,
      revisions,
      sectionsBefore: sections(after: commit),
      unloaded: unloaded,
      options,
      meter
    )
  }
}

import TreeDomain
import TreeEngine

// The changes since a revision.
extension TreeManager {
  /// The number of nodes for which a commit counts in the estimated size.
  private static var nodesPerCommit: Int { 4 }

  /// Returns the net changes of a session since a revision.
  ///
  /// A revision above the current one is from before a backup was restored, or from another
  /// service. The client's state is unknown then.
  ///
  /// - Throws: `history-expired`, and the errors of the meter.
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
    // The estimate assumes that a commit touches a few nodes.
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

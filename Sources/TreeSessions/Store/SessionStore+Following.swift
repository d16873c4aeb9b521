import Synchronization
public import TreeDomain

// Following a session.
extension SessionStore {
  /// What changed in a session since a revision.
  public func changes(
    of id: SessionID,
    _ query: ChangesQuery
  ) throws(ServiceError) -> BatchAnswer {
    try withSession(id) { manager, session throws(ServiceError) in
      try manager.changes(of: session, since: query.since, query.options)
    }
  }

  /// Follows a session from a revision on, or from now on.
  public func follow(
    _ id: SessionID,
    since: Revision?,
    _ options: BatchOptions,
    notify: @escaping @Sendable () -> Void
  ) throws(ServiceError) -> any Following {
    let tree = try find(id)
    try admitFollower(of: id)
    do throws(ServiceError) {
      return try tree.withSession(id, mode) { manager, session throws(ServiceError) in
        var since = since ?? session.revision
        // The session may come to this revision later, with other content.
        if since > session.revision { since = .unknown }
        let follower = Follower(
          of: id,
          on: tree,
          since: since,
          isBehind: since != session.revision,
          options,
          limits,
          core.queuedEvents,
          wake: notify,
          onCancel: { [self] in dismissFollower(of: id) }
        )
        manager.add(follower, to: session)
        return follower
      }
    } catch {
      dismissFollower(of: id)
      throw error
    }
  }

  private func admitFollower(of id: SessionID) throws(ServiceError) {
    let exceeded = core.table.withLock { table -> Int? in
      guard table.followers < limits.maxFollowers else { return limits.maxFollowers }
      let count = table.sessions[id]?.followers ?? 0
      guard count < limits.maxFollowersPerSession else { return limits.maxFollowersPerSession }
      table.addFollower(of: id)
      return nil
    }
    guard let exceeded else { return }
    throw .overloaded(
      limit: exceeded,
      "There are as many streams and waiting requests as there may be; try again later."
    )
  }

  private func dismissFollower(of id: SessionID) {
    let now = core.clock()
    core.table.withLock { $0.removeFollower(of: id, at: now) }
  }
}

import Synchronization
package import TreeDomain

// Following a session.
extension SessionStore {
  /// Returns the changes of a session since a revision.
  ///
  /// - Throws: `history-expired`, `session-not-found`, `session-expired`, or an error of storage.
  package func changes(
    of id: SessionID,
    _ query: ChangesQuery
  ) throws(ServiceError) -> BatchAnswer {
    try read(id) { manager, session throws(ServiceError) in
      let reading = ChangeReading(of: session, query.options, manager.meter)
      return try reading.changes(since: query.since, in: manager.content)
    }
  }

  /// Follows a session; see ``TreeService/follow(_:since:composes:_:notify:)``.
  package func follow(
    _ id: SessionID,
    since: Revision?,
    composes: Bool,
    _ options: BatchOptions,
    notify: @escaping @Sendable () -> Void
  ) throws(ServiceError) -> any Following {
    let tree = try mode.mayWait ? find(id) : findInMemory(id)
    try admitFollower()
    let request = FollowRequest(
      session: id,
      since: since,
      composes: composes,
      options: options,
      notify: notify
    )
    guard let tree else {
      let arrival = arrival(request)
      core.lookups.add { [core] _ in SessionStore(core, .blocking).bring(arrival) }
      return arrival
    }
    do throws(ServiceError) {
      return try tree.withTree(mode) { manager throws(ServiceError) in
        try add(request, to: &manager, on: tree)
      }
    } catch {
      guard let attempt = mode.attempt, attempt.isRefused else {
        core.table.withLock { $0.dismissFollower() }
        throw error
      }
      attempt.forgetRefusal()
      let arrival = arrival(request)
      tree.add(arrival)
      return arrival
    }
  }

  private func arrival(_ request: FollowRequest) -> FollowerArrival {
    let store = SessionStore(core, .blocking)
    return FollowerArrival(request) { request, manager, tree throws(ServiceError) in
      try store.add(request, to: &manager, on: tree)
    } onCancel: { [core] in
      core.table.withLock { $0.dismissFollower() }
    }
  }

  /// Finds the tree of a follower's session, and adds the follower to it.
  private func bring(_ arrival: FollowerArrival) {
    do throws(ServiceError) {
      try find(arrival.request.session).add(arrival)
    } catch {
      arrival.fail(error)
    }
  }

  /// Adds a follower to its session.
  private func add(
    _ request: FollowRequest,
    to manager: inout TreeManager,
    on tree: LockedTree
  ) throws(ServiceError) -> Follower {
    let id = request.session
    // Under the lock of the tree, so that none is added after the others were interrupted.
    guard !core.isClosed.load(ordering: .acquiring) else { throw .storeClosed }
    let session = try manager.session(id)
    try manager.content.checkSectionsAreFew()
    var since = request.since ?? session.revision
    // The session may reach this revision later, with other content.
    if since > session.revision { since = .unknown }
    let limit = limits.maxFollowersPerSession
    guard let hasRoom = core.table.withLock({ $0.addFollower(of: id, atMost: limit) }) else {
      // The session has left memory since it was found.
      try manager.meter.demandTime()
      throw .sessionNotFound
    }
    guard hasRoom else { throw Self.tooManyFollowers(limit) }
    let follower = Follower(
      of: id,
      on: tree,
      since: since,
      isBehind: since != session.revision,
      composes: request.composes,
      request.options,
      limits,
      core.means.queuedEvents,
      wake: request.notify,
      onCancel: { [core] in
        let now = core.clock()
        core.table.withLock { $0.removeFollower(of: id, at: now) }
      }
    )
    manager.sessions.add(follower, to: session)
    return follower
  }

  /// Counts a follower of any session.
  ///
  /// - Throws: `overloaded` if there are too many.
  private func admitFollower() throws(ServiceError) {
    let limit = limits.maxFollowers
    guard core.table.withLock({ $0.admitFollower(atMost: limit) }) else {
      throw Self.tooManyFollowers(limit)
    }
  }

  private static func tooManyFollowers(_ limit: Int) -> ServiceError {
    .overloaded(
      limit: limit,
      "There are as many streams and waiting requests as there may be; try again later."
    )
  }
}

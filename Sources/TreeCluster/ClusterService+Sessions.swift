package import TreeDomain
import TreeSessions
import TreeStorage

// Sessions; see ``TreeService``.
extension ClusterService {
  /// Creates a session.
  package func createSession(
    _ session: NewSession,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Created<SessionDescription> {
    let slot = try slot(ofNew: session.tree, idempotency)
    let others = count(beside: slot) { $0.store.counts.sessions }
    return try write(slot) { service throws(ServiceError) in
      try service.createSession(session, idempotency, beside: others)
    }
  }

  /// Finds the session that a secret opens: in memory first, then by one query for the
  /// slots of this instance.
  package func session(
    openedBy secret: SessionSecret,
    at named: SessionID?
  ) throws(ServiceError) -> SessionID? {
    let open = core.open
    if let named {
      let slot = core.slot(of: named)
      core.leave(try core.enter(slot))
      // It may have been dropped, or acquired, since the slots were listed.
      guard open.contains(where: { $0.number == slot }) else { throw .notHere }
    }
    for slot in open {
      if let known = slot.store.knownSession(openedBy: secret) { return known }
    }
    guard let first = open.first else { return nil }
    let slots = Set(open.map(\.number))
    let found = try service(of: first).storedSession(openedBy: secret) {
      digest throws(StorageError) in
      try core.cluster.session(openedBy: digest, in: slots)
    }
    // The process may have been stopped meanwhile, while another instance went on.
    guard open.allSatisfy(\.storage.isOwner) else { throw .outOfReach }
    return found
  }

  /// Returns the access that a session was created with.
  package func access(of id: SessionID) throws(ServiceError) -> SessionAccess? {
    try read(core.slot(of: id)) { service throws(ServiceError) in try service.access(of: id) }
  }

  /// Describes a session.
  package func session(
    _ id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SessionDescription {
    try read(core.slot(of: id)) { service throws(ServiceError) in
      try service.session(id, expectedRevision: expectedRevision)
    }
  }

  /// Changes a session's options.
  package func patchSession(
    _ id: SessionID,
    _ patch: SessionPatch,
    _ options: BatchOptions
  ) throws(ServiceError) -> PatchAnswer {
    try write(core.slot(of: id)) { service throws(ServiceError) in
      try service.patchSession(id, patch, options)
    }
  }

  /// Reads the state of a session.
  package func state(
    of id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SessionState {
    try read(core.slot(of: id)) { service throws(ServiceError) in
      try service.state(of: id, expectedRevision: expectedRevision)
    }
  }

  /// Deletes a session, and its tree if that is private.
  package func deleteSession(
    _ id: SessionID,
    _ condition: RevisionCondition?,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Ending {
    try write(core.slot(of: id)) { service throws(ServiceError) in
      try service.deleteSession(id, condition, idempotency)
    }
  }

  /// Applies a batch, all or none.
  package func apply(
    _ batch: Batch,
    to id: SessionID,
    _ options: BatchOptions
  ) throws(ServiceError) -> BatchAnswer {
    try write(core.slot(of: id)) { service throws(ServiceError) in
      try service.apply(batch, to: id, options)
    }
  }

  /// Returns the changes since a revision as one net list.
  package func changes(
    of id: SessionID,
    _ query: ChangesQuery
  ) throws(ServiceError) -> BatchAnswer {
    try read(core.slot(of: id)) { service throws(ServiceError) in
      try service.changes(of: id, query)
    }
  }

  /// Follows a session from a revision on.
  package func follow(
    _ id: SessionID,
    since: Revision?,
    composes: Bool,
    _ options: BatchOptions,
    notify: @escaping @Sendable () -> Void
  ) throws(ServiceError) -> any Following {
    guard count({ $0.store.counts.followers }) < core.options.limits.maxFollowers else {
      throw .overloaded(
        limit: core.options.limits.maxFollowers,
        """
        There are as many streams and waiting requests as there may be; delete one, or try again \
        later.
        """
      )
    }
    return try read(core.slot(of: id)) { service throws(ServiceError) in
      try service.follow(id, since: since, composes: composes, options, notify: notify)
    }
  }
}

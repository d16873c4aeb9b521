import Synchronization
public import TreeDomain

// Sessions: made, described, changed, ended.
extension SessionStore {
  /// Makes a session; see ``TreeService/createSession(_:_:)``.
  public func createSession(
    _ session: NewSession,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Created<SessionDescription> {
    let (creation, wasReplayed) = try once(idempotency) { () throws(ServiceError) in
      .session(try make(session))
    }
    guard case .session(let description) = creation else { throw .idempotencyKeyReused }
    return Created(description, wasReplayed: wasReplayed)
  }

  private func make(_ new: NewSession) throws(ServiceError) -> SessionDescription {
    try reserveSession()
    var generator = SystemRandomNumberGenerator()
    let id = SessionID(using: &generator)
    do throws(ServiceError) {
      let tree = try tree(for: new, &generator)
      // Nobody else knows of a tree of its own, and the session is gone with it if this fails.
      let description = try tree.withTree(new.tree == nil ? .patient : pace) {
        manager throws(ServiceError) in
        let session = try manager.open(id, new)
        return manager.description(of: session)
      }
      try enter(id, on: tree, isShared: new.tree != nil, new.options.idleTimeoutSeconds)
      return description
    } catch {
      core.table.withLock { $0.reservedSessions -= 1 }
      throw error
    }
  }

  /// The shared tree that a session asks for, or a private one made of what it brings.
  private func tree(
    for new: NewSession,
    _ generator: inout SystemRandomNumberGenerator
  ) throws(ServiceError) -> LockedTree {
    if let shared = new.tree { return try find(shared) }
    var content = NewTree()
    content.bytes = new.bytes
    content.sort = new.options.sort
    content.sections = new.sections
    content.nodes = new.nodes
    content.rootSections = new.rootSections
    let id = TreeID(using: &generator)
    return try makeTree(id, isPrivate: true, content)
  }

  private func reserveSession() throws(ServiceError) {
    let limit = limits.maxSessions
    let hasRoom = core.table.withLock { table in
      guard table.sessions.count + table.reservedSessions < limit else { return false }
      table.reservedSessions += 1
      return true
    }
    guard hasRoom else {
      var error = ServiceError(
        .overloaded,
        "There are as many sessions as there may be; delete one, or try again later."
      )
      error.limit = limit
      throw error
    }
  }

  private func enter(
    _ id: SessionID,
    on tree: LockedTree,
    isShared: Bool,
    _ idleTimeoutSeconds: Int
  ) throws(ServiceError) {
    let now = core.clock()
    let isThere = core.table.withLock { table in
      // The tree may have been deleted since it was looked up.
      guard !isShared || table.trees[tree.id] === tree else { return false }
      table.reservedSessions -= 1
      table.sessions[id] = SessionTable.Entry(
        tree: tree,
        idleTimeoutSeconds: idleTimeoutSeconds,
        lastUse: now
      )
      return true
    }
    guard isThere else { throw .treeNotFound }
  }

  /// Describes a session.
  public func session(
    _ id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SessionDescription {
    try withSession(id) { manager, session throws(ServiceError) in
      try session.check(expectedRevision)
      return manager.description(of: session)
    }
  }

  /// Changes a session's options.
  public func patchSession(
    _ id: SessionID,
    _ patch: SessionPatch,
    _ options: BatchOptions
  ) throws(ServiceError) -> PatchAnswer {
    let now = core.clock()
    let answer = try withSession(id) { manager, session throws(ServiceError) in
      try manager.patch(session, patch, options, at: now)
    }
    if !options.isDryRun, let seconds = patch.idleTimeoutSeconds {
      core.table.withLock { $0.sessions[id]?.idleTimeoutSeconds = seconds }
    }
    return answer
  }

  /// Ends a session and its private tree.
  public func deleteSession(_ id: SessionID) throws(ServiceError) {
    let wasThere = try find(id).withTree(pace) { manager throws(ServiceError) in
      try manager.close(id)
    }
    guard wasThere else { throw .sessionNotFound }
    core.table.withLock { $0.sessions[id] = nil }
  }

  /// Applies a batch, all of it or nothing.
  public func apply(
    _ batch: Batch,
    to id: SessionID,
    _ options: BatchOptions
  ) throws(ServiceError) -> BatchAnswer {
    let now = core.clock()
    return try withSession(id) { manager, session throws(ServiceError) in
      try manager.apply(batch, by: session, options, at: now)
    }
  }
}

import Synchronization
package import TreeDomain

// Creating sessions; see ``TreeService``.
extension SessionStore {
  /// Creates a session; see ``TreeService/createSession(_:_:)``.
  package func createSession(
    _ session: NewSession,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Created<SessionDescription> {
    try createSession(session, idempotency, beside: 0)
  }

  /// Creates a session.
  ///
  /// The limit includes the sessions of other stores, whose number is `others`.
  package func createSession(
    _ session: NewSession,
    _ idempotency: IdempotencyKey?,
    beside others: Int
  ) throws(ServiceError) -> Created<SessionDescription> {
    let made = try core.retries.once(idempotency) { () throws(ServiceError) in
      try make(session, idempotency, beside: others)
    }
    guard case .session(let description) = made.description else { throw .idempotencyKeyReused }
    return made.with(description)
  }

  private func make(
    _ new: NewSession,
    _ idempotency: IdempotencyKey?,
    beside others: Int
  ) throws(ServiceError) -> Created<Creation> {
    var generator = SystemRandomNumberGenerator()
    let id = core.makeSessionID(using: &generator)
    try reserve(id, beside: others)
    do throws(ServiceError) {
      let tree = try tree(for: new, &generator)
      let created = try open(id, new, on: tree, idempotency)
      try enter(id, on: tree, new, created.durability)
      return created
    } catch {
      core.table.withLock { _ = $0.reservedSessions.remove(id) }
      goOnIfRefused()
      throw error
    }
  }

  /// Gives a refused attempt a new executor, unless it has one.
  ///
  /// An attempt that could not make its tree has none.
  func goOnIfRefused() {
    if let attempt = mode.attempt, attempt.isRefused { attempt.goOn(at: core.makeExecutor()) }
  }

  private func open(
    _ id: SessionID,
    _ new: NewSession,
    on tree: LockedTree,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Created<Creation> {
    // No other call can hold the lock of a private tree, which ends if this fails.
    try tree.change(
      new.tree == nil ? .waiting(mode.control) : mode,
      opening(id, new, on: tree, idempotency, at: core.clock())
    )
  }

  private func opening(
    _ id: SessionID,
    _ new: NewSession,
    on tree: LockedTree,
    _ idempotency: IdempotencyKey?,
    at now: Int
  ) -> PreparedChange<Created<Creation>> {
    func open(
      in manager: inout TreeManager,
      adopting rows: PreparedRows? = nil
    ) throws(ServiceError) -> Created<Creation> {
      let session = try manager.open(id, new, adopting: rows)
      var description = manager.description(of: session)
      description.secret = new.secret
      return Created(.session(description))
    }
    return PreparedChange(
      entry: JournalEntry(.openSession(new), of: id, at: now),
      maxTries: Self.maxRowTries,
      isLarge: { manager throws(ServiceError) in
        let size = WorkSize(opening: new, in: manager.content)
        guard manager.isWorthCopy(size) else { return false }
        try manager.admit(manager.content.bytes(of: new), for: nil)
        return true
      },
      make: { manager, _ throws(ServiceError) in try open(in: &manager) },
      keep: { _, _ in },
      writes: { created in
        guard let number = tree.number else { return [] }
        var session = StoredSession(
          id: id,
          tree: number,
          isPrivate: tree.isPrivate,
          idleTimeoutSeconds: new.options.idleTimeoutSeconds,
          lastUse: now
        )
        session.access = new.options.access
        session.digest = new.secret?.digest
        return tree.making(ifPrivate: true) + [.makeSession(session)]
          + self.core.retries.kept(.success(created.description), for: idempotency, at: now)
      },
      adoption: Adoption(
        rows: { tree, copy, watch in
          PreparedRows(of: copy, for: tree, since: watch, new.options, of: id)
        },
        make: { manager, rows throws(ServiceError) in try open(in: &manager, adopting: rows) }
      )
    )
  }

  /// Returns the shared tree that a session names, or a private one with the session's content.
  private func tree(
    for new: NewSession,
    _ generator: inout SystemRandomNumberGenerator
  ) throws(ServiceError) -> LockedTree {
    if let shared = new.tree { return try find(shared) }
    return try makeTree(core.makeTreeID(using: &generator), isPrivate: true, new.ownTree)
  }

  private func reserve(_ id: SessionID, beside others: Int) throws(ServiceError) {
    let limit = limits.maxSessions
    let hasRoom = core.table.withLock { table in
      guard table.sessionCount + table.reservedSessions.count + others < limit else { return false }
      table.reservedSessions.insert(id)
      return true
    }
    guard hasRoom else {
      throw .overloaded(
        limit: limit,
        "There are as many sessions as there may be; delete one, or try again later."
      )
    }
  }

  private func enter(
    _ id: SessionID,
    on tree: LockedTree,
    _ new: NewSession,
    _ durability: Durability
  ) throws(ServiceError) {
    let now = core.clock()
    let isThere = core.table.withLock { table in
      // The tree may have been deleted since it was found.
      guard new.tree == nil || table.trees[tree.id] === tree else { return false }
      table.reservedSessions.remove(id)
      let seconds = new.options.idleTimeoutSeconds
      let entry = SessionTable.Entry(
        tree,
        openedBy: new.secret?.digest,
        access: new.options.access,
        idleTimeoutSeconds: seconds,
        lastUse: now
      )
      table.enter(id, entry)
      table.sessionCount += 1
      return true
    }
    guard isThere else { throw .treeNotFound }
    durability.whenLost { [core] in core.table.withLock { $0.remove([id]) } }
  }
}

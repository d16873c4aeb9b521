import Synchronization
public import TreeDomain

// Creating, describing, changing and deleting sessions; see ``TreeService``.
extension SessionStore {
  /// Creates a session; see ``TreeService/createSession(_:_:)``.
  public func createSession(
    _ session: NewSession,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Created<SessionDescription> {
    let made = try once(idempotency) { () throws(ServiceError) in
      try make(session, idempotency)
    }
    guard case .session(let description) = made.description else { throw .idempotencyKeyReused }
    return made.with(description)
  }

  private func make(
    _ new: NewSession,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Created<Creation> {
    var generator = SystemRandomNumberGenerator()
    let id = core.makeSessionID(using: &generator)
    try reserve(id)
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

  /// Makes a refused attempt continue on a new executor, because its tree has none yet.
  func goOnIfRefused() {
    if let attempt = mode.attempt, attempt.isRefused { attempt.goOn(at: makeExecutor()) }
  }

  private func open(
    _ id: SessionID,
    _ new: NewSession,
    on tree: LockedTree,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Created<Creation> {
    let now = core.clock()
    // No other call can hold the lock of a private tree, which ends if this fails.
    return try tree.change(
      new.tree == nil ? .waiting(mode.control) : mode,
      JournalEntry(.openSession(new), of: id, at: now),
      also: { created in
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
          + kept(.success(created.description), for: idempotency, at: now)
      },
      { manager throws(ServiceError) in
        let session = try manager.open(id, new)
        var description = manager.description(of: session)
        description.secret = new.secret
        return Created(.session(description))
      }
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

  private func reserve(_ id: SessionID) throws(ServiceError) {
    let limit = limits.maxSessions
    let hasRoom = core.table.withLock { table in
      guard table.sessionCount + table.reservedSessions.count < limit else { return false }
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

  /// Returns the description of a session.
  public func session(
    _ id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SessionDescription {
    try read(id) { manager, session throws(ServiceError) in
      try session.check(expectedRevision)
      return manager.description(of: session)
    }
  }

  /// Changes the options of a session.
  public func patchSession(
    _ id: SessionID,
    _ patch: SessionPatch,
    _ options: BatchOptions
  ) throws(ServiceError) -> PatchAnswer {
    let now = core.clock()
    let tree = try find(id, at: now)
    if options.isDryRun {
      return try tree.read(id, mode) { manager, session throws(ServiceError) in
        try manager.tryOut { manager throws(ServiceError) in
          try manager.patch(session, patch, options, at: now)
        }
      }
    }
    let answer: PatchAnswer
    do throws(ServiceError) {
      // A sort order for a shared tree will be refused, so it supersedes nothing.
      if patch.sort == nil || tree.isPrivate { try tree.claims.enter(patch, of: id, options) }
      answer = try tree.change(mode, change(of: id, by: patch, options, at: now))
      tree.claims.leave(patch, of: id)
    } catch {
      if mode.attempt?.isRefused != true { tree.claims.leave(patch, of: id) }
      throw error
    }
    // Applied once it is durable, and not again for a retry.
    if !answer.wasReplayed, let seconds = patch.idleTimeoutSeconds {
      answer.durability.whenKept { [core, revision = answer.list.revision] in
        core.table.withLock { table in
          table.sessions[id]?.change(idleTimeoutSeconds: seconds, at: revision)
        }
      }
    }
    return answer
  }

  /// The maximum number of times that a patch is tried on a copy of the tree.
  private static var maxPatchTries: Int { 2 }

  private func change(
    of id: SessionID,
    by patch: SessionPatch,
    _ options: BatchOptions,
    at now: Int
  ) -> PreparedChange<PatchAnswer> {
    PreparedChange(
      entry: JournalEntry(.patch(patch), of: id, at: now, options),
      maxTries: Self.maxPatchTries,
      isLarge: { manager throws(ServiceError) in
        let session = try manager.session(id)
        return !manager.size(of: patch, by: session).isSmall(manager.limits)
      },
      make: { manager, _ throws(ServiceError) in
        let session = try manager.session(id)
        try manager.checkSectionsAreFew()
        return try manager.patch(session, patch, options, at: now)
      },
      keep: { manager, answer in
        guard let session = manager.sessions[id] else { return }
        manager.keep(.success(SessionAnswer(answer)), of: session, for: options, at: now)
      },
      writes: { _ in self.renewal(of: id, by: patch, at: now) },
      adoption: Adoption(
        layer: { tree, copy, watch in
          tree.preparedRows(of: copy, since: watch, patch, of: id)
        },
        make: { manager, layer throws(ServiceError) in
          let session = try manager.session(id)
          return try manager.patch(session, patch, options, at: now, adopting: layer)
        }
      ),
      control: { control in patch.claim.map { ClaimedControl(control, $0) } ?? control }
    )
  }

  /// Returns the change of storage for a new idle timeout.
  private func renewal(
    of id: SessionID,
    by patch: SessionPatch,
    at now: Int
  ) -> [StorageChange] {
    guard let seconds = patch.idleTimeoutSeconds else { return [] }
    return [.renewSession(id, lastUse: now, idleTimeoutSeconds: seconds)]
  }

  /// Deletes a session, and its private tree, once for each idempotency key.
  @discardableResult
  public func deleteSession(
    _ id: SessionID,
    _ condition: RevisionCondition? = nil,
    _ idempotency: IdempotencyKey? = nil
  ) throws(ServiceError) -> Ending {
    try onceEnding(idempotency) { kept throws(ServiceError) in
      let tree = try find(id)
      let ended = try tree.withTree(mode) { manager throws(ServiceError) in
        if let condition { try manager.check(condition, at: try manager.session(id).revision) }
        let now = core.clock()
        return try tree.close(id, in: &manager, expired: false, at: now, keeping: kept)
      }
      guard !ended.sessions.isEmpty else { throw .sessionNotFound }
      forget(ended)
      return ended.durability
    }
  }

  /// Removes ended sessions from the table, as soon as that is durable.
  func forget(_ ended: Ended, with tree: LockedTree? = nil) {
    ended.durability.whenKept { [core] in
      core.table.withLock { table in
        table.remove(ended.sessions)
        if let tree { table.remove(tree) }
        if let retired = ended.retired { table.retired.add(retired) }
      }
    }
  }

  /// Applies a batch, all or none.
  public func apply(
    _ batch: Batch,
    to id: SessionID,
    _ options: BatchOptions
  ) throws(ServiceError) -> BatchAnswer {
    let now = core.clock()
    let tree = try find(id, at: now)
    if options.isDryRun {
      return try tree.read(id, mode) { manager, session throws(ServiceError) in
        try manager.tryOut { manager throws(ServiceError) in
          try manager.apply(batch, by: session, options, at: now)
        }
      }
    }
    let change = PreparedChange(
      entry: JournalEntry(.batch(batch), of: id, at: now, options),
      isLarge: { manager throws(ServiceError) in
        let session = try manager.session(id)
        return !manager.size(of: batch, by: session, options).isSmall(manager.limits)
      },
      make: { manager, announce throws(ServiceError) in
        let session = try manager.session(id)
        try manager.checkSectionsAreFew()
        return try manager.apply(batch, by: session, options, at: now, announce)
      },
      keep: { manager, answer in
        guard let session = manager.sessions[id] else { return }
        manager.keep(.success(SessionAnswer(answer)), of: session, for: options, at: now)
      }
    )
    return try tree.change(mode, change)
  }
}

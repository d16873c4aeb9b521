import Synchronization
package import TreeDomain

// Describing, changing and deleting sessions; see ``TreeService``.
extension SessionStore {
  /// Returns the description of a session.
  package func session(
    _ id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SessionDescription {
    try read(id) { manager, session throws(ServiceError) in
      try session.check(expectedRevision)
      return manager.description(of: session)
    }
  }

  /// Changes the options of a session.
  package func patchSession(
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

  /// The maximum number of times that the rows of a session are made on a copy of the tree.
  static var maxRowTries: Int { 2 }

  private func change(
    of id: SessionID,
    by patch: SessionPatch,
    _ options: BatchOptions,
    at now: Int
  ) -> PreparedChange<PatchAnswer> {
    PreparedChange(
      entry: JournalEntry(.patch(patch), of: id, at: now, options),
      maxTries: Self.maxRowTries,
      isLarge: { manager throws(ServiceError) in
        let session = try manager.session(id)
        let size = WorkSize(of: patch, by: session, in: manager.content)
        guard manager.isWorthCopy(size) else { return false }
        try manager.admit(manager.content.bytes(of: patch, for: session), for: id)
        return true
      },
      make: { manager, _ throws(ServiceError) in
        let session = try manager.session(id)
        try manager.content.checkSectionsAreFew()
        return try manager.patch(session, patch, options, at: now)
      },
      keep: { manager, answer in
        guard let session = manager.sessions[id] else { return }
        manager.keep(.success(SessionAnswer(answer)), of: session, for: options, at: now)
      },
      writes: { _ in self.renewal(of: id, by: patch, at: now) },
      adoption: Adoption(
        rows: { tree, copy, watch in
          PreparedRows(of: copy, for: tree, since: watch, patch, of: id)
        },
        make: { manager, rows throws(ServiceError) in
          let session = try manager.session(id)
          return try manager.patch(session, patch, options, at: now, adopting: rows)
        }
      ),
      rebasing: options.condition != nil || patch.sort == nil
        ? nil
        : Rebasing(
          impact: { copy in ChangeImpact(of: patch, on: copy.content) },
          answer: { manager throws(ServiceError) in
            try manager.answerAgain(toPatchOf: manager.session(id), options)
          },
          update: { answer, changes, manager in
            manager.update(&answer, of: id, options, after: changes)
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
  package func deleteSession(
    _ id: SessionID,
    _ condition: RevisionCondition? = nil,
    _ idempotency: IdempotencyKey? = nil
  ) throws(ServiceError) -> Ending {
    try core.retries.onceEnding(idempotency) { kept throws(ServiceError) in
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

  /// Removes ended sessions, and their tree if it ended, from the table as soon as that is durable.
  func forget(_ ended: Ended, with tree: LockedTree? = nil) {
    ended.durability.whenKept { [core] in
      core.table.withLock { table in
        if let tree { table.remove(tree) }
        if let retired = ended.retired { table.retired.add(retired) }
      }
      core.remove(ended.sessions)
    }
  }

  /// Applies a batch, all or none.
  package func apply(
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
        let size = manager.size(of: batch, by: session, options)
        guard manager.isWorthCopy(size) else { return false }
        try manager.admit(batch, for: id)
        return true
      },
      make: { manager, announce throws(ServiceError) in
        let session = try manager.session(id)
        try manager.content.checkSectionsAreFew()
        return try manager.apply(batch, by: session, options, at: now, announce)
      },
      keep: { manager, answer in
        guard let session = manager.sessions[id] else { return }
        manager.keep(.success(SessionAnswer(answer)), of: session, for: options, at: now)
      },
      rebasing: options.condition != nil
        ? nil
        : Rebasing(
          impact: { copy in
            ChangeImpact(of: batch, by: copy.sessions[id], on: copy.content)
          },
          answer: { manager throws(ServiceError) in
            try manager.answerAgain(to: manager.session(id), options)
          },
          update: { answer, changes, manager in
            manager.update(&answer, of: id, options, after: changes)
          }
        )
    )
    return try tree.change(mode, change)
  }
}

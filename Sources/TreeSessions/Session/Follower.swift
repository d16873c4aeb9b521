import Synchronization
import TreeDomain

/// Somebody who follows a session: a stream, or a request that waits for the next change.
///
/// Its queue has a lock of its own, taken while the tree's is held (by who changed something) or
/// alone (by who reads the events), never the other way round. What a reader does not take does not
/// pile up: beyond a bound the queue is given up, and what was missed is read anew as one net
/// change.
final class Follower: Following {
  let options: BatchOptions
  private let session: SessionID
  private let tree: LockedTree
  private let queue: Mutex<FollowerQueue>
  private let wake: @Sendable () -> Void
  private let onCancel: @Sendable () -> Void

  /// Begins to follow behind the revision that the reader has already.
  ///
  /// One who is not behind the session missed nothing: every revision from now on is an event.
  init(
    of session: SessionID,
    on tree: LockedTree,
    since revision: Revision,
    isBehind: Bool,
    composes: Bool,
    _ options: BatchOptions,
    _ limits: SessionLimits,
    _ room: SharedRoom,
    wake: @escaping @Sendable () -> Void,
    onCancel: @escaping @Sendable () -> Void
  ) {
    self.session = session
    self.tree = tree
    self.options = options
    self.wake = wake
    self.onCancel = onCancel
    queue = Mutex(
      FollowerQueue(revision: revision, isBehind: isBehind, composes: composes, limits, room)
    )
  }

  deinit { queue.withLock { $0.removeAll() } }

  // MARK: The writer's side, under the tree's lock

  /// True if events are to be added; see ``FollowerQueue/wantsEvents``.
  var wantsEvents: Bool { queue.withLock { $0.wantsEvents } }

  /// Adds what a revision changed, to be read once that is on disk.
  func add(_ answer: BatchAnswer, until durability: Durability) {
    queue.withLock { $0.add(answer, until: durability) }
  }

  /// Notes a new revision; see ``FollowerQueue/noteRevision()``.
  func noteRevision() -> Bool { queue.withLock { $0.noteRevision() } }

  /// Tells the reader that there is something to read.
  func notify() {
    if !isCancelled { wake() }
  }

  /// Tells the reader so when it is on disk.
  func notify(when durability: Durability) {
    guard let receipt = durability.receipt else { return notify() }
    receipt.whenSettled { [weak self] in self?.notify() }
  }

  /// The tree leaves memory: the reader has to come again.
  func interrupt() {
    queue.withLock { queue in
      queue.giveUpEvents()
      queue.isInterrupted = true
    }
    wake()
  }

  /// Whether the reader is gone.
  var isCancelled: Bool { queue.withLock { $0.isCancelled } }

  /// Ends the events: the session has ended, once that is on disk.
  func end(_ reason: ServiceError, until durability: Durability) {
    queue.withLock { $0.end(reason, until: durability) }
    notify(when: durability)
  }

  // MARK: The reader's side

  /// Takes the next event; nil where there is none yet.
  ///
  /// It never waits: what was missed is put together at once if the tree is free and it is small,
  /// else on the tree's executor.
  func next(holdingChanges: Bool) -> FollowEvent? {
    let (event, isBehind) = take(holdingChanges: holdingChanges)
    guard isBehind else { return event }
    tree.runInBackground { [self] manager throws(ServiceError) in
      try catchUp(manager)
      // Work that may take its time is done on the executor, for which the reader did not wait.
      if !manager.meter.isSmall { notify() }
    } failed: { [self] error in
      queue.withLock { $0.fail(error) }
      notify()
    }
    return queue.withLock { $0.isAwaited ? nil : $0.take(holdingChanges: false) }
  }

  private func take(holdingChanges: Bool) -> (event: FollowEvent?, isBehind: Bool) {
    queue.withLock { queue in
      if let event = queue.take(holdingChanges: holdingChanges) {
        if case .reset = event { tree.noteReset() }
        return (event, false)
      }
      guard queue.isToCatchUp, !holdingChanges else { return (nil, false) }
      queue.isAwaited = true
      return (nil, true)
    }
  }

  /// Reads what was missed, and is up to date from then on.
  private func catchUp(_ manager: borrowing TreeManager) throws(ServiceError) {
    let missed = try missed(manager)
    let durability = manager.pendingDurability
    queue.withLock { queue in
      queue.isBehind = false
      queue.isAwaited = false
      guard let missed else { return }
      queue.append(missed: missed.event, until: durability, or: missed.reset)
    }
    if missed != nil, !durability.isSettled { notify(when: durability) }
  }

  /// What was missed, and what is told where there is no room for it; nil if that is nothing, or
  /// the session has ended.
  private func missed(
    _ manager: borrowing TreeManager
  ) throws(ServiceError) -> (event: FollowEvent, reset: FollowEvent)? {
    guard let session = manager.sessions[session] else { return nil }
    let since = queue.withLock { $0.revision }
    guard since != session.revision else { return nil }
    let reset = FollowEvent.reset(
      session: session.id,
      revision: session.revision,
      rowCount: manager.rowCount(of: session)
    )
    do throws(ServiceError) {
      return (.changes(try manager.changes(of: session, since: since, options)), reset)
    } catch {
      guard error.code == .historyExpired else { throw error }
      return (reset, reset)
    }
  }

  /// The reader is gone.
  func cancel() {
    queue.withLock { queue in
      queue.isCancelled = true
      queue.removeAll()
    }
    tree.runInBackground { [self] manager throws(ServiceError) in
      guard let session = manager.sessions[session] else { return }
      manager.remove(self, of: session)
      session.lastUse = manager.time
    }
    onCancel()
  }
}

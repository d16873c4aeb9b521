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
    queue = Mutex(FollowerQueue(revision: revision, isBehind: isBehind, limits, room))
  }

  deinit { queue.withLock { $0.removeAll() } }

  // MARK: The writer's side, under the tree's lock

  /// Whether events are to be added; one that is behind reads what it missed when it comes to it.
  var wantsEvents: Bool { queue.withLock { !$0.isBehind && !$0.isOver } }

  /// Adds what a revision changed, to be read once that is on disk.
  func add(_ answer: BatchAnswer, until durability: Durability) {
    queue.withLock { $0.add(answer, until: durability) }
  }

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

  /// The session has ended.
  func end() {
    queue.withLock { $0.hasEnded = true }
    wake()
  }

  // MARK: The reader's side

  /// The next event; nil where there is none yet.
  ///
  /// It never waits: what was missed is put together at once if the tree is free and it is little,
  /// else in the tree's turn.
  func next() -> FollowEvent? {
    let (event, isBehind) = take()
    guard isBehind else { return event }
    tree.runInBackground { [self] manager throws(ServiceError) in
      try catchUp(manager)
      // One with time comes in the tree's turn, for which the reader did not wait.
      if manager.budget == nil { notify() }
    }
    return queue.withLock { $0.isAwaited ? nil : $0.take() }
  }

  private func take() -> (event: FollowEvent?, isBehind: Bool) {
    queue.withLock { queue in
      if let event = queue.take() {
        if case .reset = event { tree.noteReset() }
        return (event, false)
      }
      guard queue.isBehind, !queue.isOver, !queue.isAwaited else { return (nil, false) }
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
      guard error.turn == nil else { throw error }
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

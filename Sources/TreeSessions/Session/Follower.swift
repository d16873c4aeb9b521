import Synchronization
import TreeDomain

/// A follower of a session: a stream, or a request that waits for the next change.
///
/// The queue has a lock of its own. Writers take it while they hold the tree's lock; readers take
/// it alone. A reader that is too slow does not fill memory: beyond a limit the queue is dropped,
/// and the reader gets everything it missed as one net change.
final class Follower: Following {
  let options: BatchOptions
  private let session: SessionID
  private let tree: LockedTree
  private let queue: Mutex<FollowerQueue>
  private let room: SharedRoom
  private let wake: @Sendable () -> Void
  private let onCancel: @Sendable () -> Void

  /// Begins to follow a session after the revision that the reader has.
  ///
  /// If the reader is not behind, every revision from now on becomes an event, unless `composes` is
  /// true.
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
    self.room = room
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

  /// Returns an event with the changes of a revision, which followers with equal options share; nil
  /// if there is no room for it.
  func event(_ answer: BatchAnswer) -> QueuedEvent? { QueuedEvent(answer, in: room) }

  /// Adds the changes of a revision, which are readable after they are on disk.
  func add(_ event: QueuedEvent?, until durability: Durability) {
    queue.withLock { $0.add(event, until: durability) }
  }

  /// Records a new revision; see ``FollowerQueue/recordRevision()``.
  func recordRevision() -> Bool { queue.withLock { $0.recordRevision() } }

  /// Notifies the reader that there may be an event.
  func notify() {
    if !isCancelled { wake() }
  }

  /// Notifies the reader as soon as the event is on disk.
  func notify(when durability: Durability) {
    guard let receipt = durability.receipt else { return notify() }
    receipt.whenResolved { [weak self] in self?.notify() }
  }

  /// Interrupts the follower because the tree leaves memory.
  ///
  /// The reader has to reconnect.
  func interrupt() {
    queue.withLock { queue in
      queue.giveUpEvents()
      queue.isInterrupted = true
    }
    wake()
  }

  /// True if the reader has cancelled.
  var isCancelled: Bool { queue.withLock { $0.isCancelled } }

  /// Adds the end of the session as the last event, which is readable after it is on disk.
  func end(_ reason: ServiceError, until durability: Durability) {
    queue.withLock { $0.end(reason, until: durability) }
    notify(when: durability)
  }

  // MARK: The reader's side

  /// Removes and returns the next event; nil if there is none yet.
  ///
  /// Never blocks. Missed changes are computed at once if the tree is free and they are small;
  /// otherwise on the tree's executor.
  func next(holdingChanges: Bool) -> FollowEvent? {
    let (event, isBehind) = take(holdingChanges: holdingChanges)
    guard isBehind else { return event }
    tree.runInBackground { [self] manager throws(ServiceError) in
      try catchUp(manager)
      // This work ran on the executor later, so the reader has to be notified.
      if !manager.meter.isSmall { notify() }
    } failed: { [self] error in
      queue.withLock { $0.fail(error) }
      notify()
    }
    return queue.withLock { queue in
      queue.isAwaited ? nil : counted(queue.take(holdingChanges: false))
    }
  }

  /// Returns an event, and counts it if it is a reset.
  private func counted(_ event: FollowEvent?) -> FollowEvent? {
    if case .reset? = event { tree.executor.meter.addReset() }
    return event
  }

  private func take(holdingChanges: Bool) -> (event: FollowEvent?, isBehind: Bool) {
    queue.withLock { queue in
      if let event = counted(queue.take(holdingChanges: holdingChanges)) { return (event, false) }
      guard queue.isToCatchUp, !holdingChanges else { return (nil, false) }
      queue.isAwaited = true
      return (nil, true)
    }
  }

  /// Adds the missed changes to the queue, so that the reader is no longer behind.
  private func catchUp(_ manager: borrowing TreeManager) throws(ServiceError) {
    let missed = try missed(manager)
    let durability = manager.pendingDurability
    queue.withLock { queue in
      queue.isBehind = false
      queue.isAwaited = false
      guard let missed else { return }
      queue.append(missed: missed.event, until: durability, or: missed.reset)
    }
    if missed != nil, !durability.isResolved { notify(when: durability) }
  }

  /// Returns the missed changes, and an event to use if there is no room for them.
  ///
  /// Returns nil if nothing was missed, or if the session has ended.
  private func missed(
    _ manager: borrowing TreeManager
  ) throws(ServiceError) -> (event: FollowEvent, reset: FollowEvent)? {
    guard let session = manager.sessions[session] else { return nil }
    let since = queue.withLock { $0.revision }
    guard since != session.revision else { return nil }
    let reset = FollowEvent.reset(
      session: session.id,
      revision: session.revision,
      rowCount: manager.content.rowCount(of: session)
    )
    do throws(ServiceError) {
      let reading = ChangeReading(of: session, options, manager.meter)
      return (.changes(try reading.changes(since: since, in: manager.content)), reset)
    } catch {
      guard error.code == .historyExpired else { throw error }
      return (reset, reset)
    }
  }

  /// Ends following, because the reader is gone.
  func cancel() {
    queue.withLock { queue in
      queue.isCancelled = true
      queue.removeAll()
    }
    tree.runInBackground { [self] manager throws(ServiceError) in
      guard let session = manager.sessions[session] else { return }
      manager.sessions.remove(self, of: session)
      session.lastUse = manager.time
    }
    onCancel()
  }
}

import Synchronization
import TreeDomain

/// Somebody who follows a session: a stream, or a request that waits for the next change.
///
/// Its queue has a lock of its own, taken while the tree's is held (by who changed something) or
/// alone (by who reads the events), never the other way round. What a reader does not take does not
/// pile up: beyond a bound the queue is given up, and what was missed is read anew as one net
/// change.
final class Follower: Following {
  private struct Queue {
    var events: [FollowEvent] = []
    var weight = 0
    /// The revision that the reader will be at when it has read the queue.
    var revision: Revision
    /// Events were given up, so that the queue is not the whole of it.
    var isBehind: Bool
    var hasEnded = false
  }

  let options: BatchOptions
  private let session: SessionID
  private let tree: LockedTree
  private let limits: SessionLimits
  private let queue: Mutex<Queue>
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
    wake: @escaping @Sendable () -> Void,
    onCancel: @escaping @Sendable () -> Void
  ) {
    self.session = session
    self.tree = tree
    self.options = options
    self.limits = limits
    self.wake = wake
    self.onCancel = onCancel
    queue = Mutex(Queue(revision: revision, isBehind: isBehind))
  }

  // MARK: The writer's side, under the tree's lock

  /// Whether events are to be added; one that is behind reads what it missed when it comes to it.
  var wantsEvents: Bool { queue.withLock { !$0.isBehind && !$0.hasEnded } }

  /// Adds what a revision changed.
  func add(_ answer: BatchAnswer) {
    let maxEvents = limits.maxQueuedEvents
    let maxBytes = limits.maxQueuedBytes
    let weight = answer.weight
    queue.withLock { queue in
      queue.weight += weight
      guard queue.events.count < maxEvents, queue.weight <= maxBytes else {
        queue.events = []
        queue.weight = 0
        queue.isBehind = true
        return
      }
      queue.events.append(.changes(answer))
    }
  }

  /// Tells the reader that there is something to read.
  func notify() { wake() }

  /// The session has ended.
  func end() {
    queue.withLock { $0.hasEnded = true }
    wake()
  }

  // MARK: The reader's side

  /// The next event; nil where there is none yet.
  func next() -> FollowEvent? {
    let taken: (event: FollowEvent?, isBehind: Bool) = queue.withLock { queue in
      if !queue.events.isEmpty {
        let event = queue.events.removeFirst()
        if case .changes(let answer) = event {
          queue.weight -= answer.weight
          queue.revision = answer.revision
        }
        return (event, false)
      }
      return (queue.hasEnded ? .ended : nil, queue.isBehind && !queue.hasEnded)
    }
    return taken.isBehind ? catchUp() : taken.event
  }

  /// Reads what was missed, and is up to date from then on.
  private func catchUp() -> FollowEvent? {
    tree.withTree { manager in
      guard let session = manager.sessions[session] else { return .ended }
      let since = queue.withLock { queue in
        queue.isBehind = false
        defer { queue.revision = session.revision }
        return queue.revision
      }
      guard since != session.revision else { return nil }
      do throws(ServiceError) {
        return .changes(try manager.changes(of: session, since: since, options))
      } catch {
        return .reset(
          session: session.id,
          revision: session.revision,
          rowCount: manager.rowCount(of: session)
        )
      }
    }
  }

  /// The reader is gone.
  func cancel() {
    tree.withTree { manager in
      manager.sessions[session]?.followers.removeAll { $0 === self }
    }
    onCancel()
  }
}

import Synchronization
import TreeDomain
import TreeEngine

extension LockedTree {
  /// The maximum number of sessions that are processed under one lock, so that others are not
  /// delayed.
  private static let maxSleepBatch = 1_000
  /// The number of toggled and selected nodes after which no further session falls asleep under the
  /// same lock.
  private static let maxNamedTogether = 10_000

  /// Puts idle sessions to sleep, except those that may stay awake.
  ///
  /// - Parameters:
  ///   - time: Sessions that were used later stay awake.
  ///   - done: Called under the tree's lock, once for each batch of sessions that sleep now.
  func putIdleToSleep(unusedSince time: Int, _ done: @escaping @Sendable ([SessionID]) -> Void) {
    guard isCrowded.load(ordering: .relaxed), !isPuttingToSleep.exchange(true, ordering: .relaxed)
    else {
      return
    }
    look { [self] tree in
      putToSleep(tree.idleSessions(since: time)[...], unusedSince: time, done)
    }
  }

  /// Frees memory that was last used before a time.
  ///
  /// Removes the whole tree from memory if it is stored. Otherwise puts sessions to sleep, least
  /// recently used first.
  ///
  /// - Parameters:
  ///   - time: The time in seconds.
  ///   - isWanted: Returns true while more memory should be freed.
  ///   - done: Called with the sessions that left memory or sleep now.
  func relieve(
    at time: Int,
    while isWanted: @escaping @Sendable () -> Bool,
    _ done: @escaping @Sendable ([SessionID]) -> Void
  ) {
    look { [self] tree in
      guard !tree.hasEnded, lastVisit < time else { return done([]) }
      if let sessions = leaveMemory(&tree) { return done(sessions) }
      drop(tree.sessions.idle(before: time)[...], unusedSince: time - 1, while: isWanted, done)
    }
  }

  /// Puts sessions to sleep while memory is tight, some at a time.
  private func drop(
    _ idle: ArraySlice<SessionID>,
    _ dropped: [SessionID] = [],
    unusedSince time: Int,
    while isWanted: @escaping @Sendable () -> Bool,
    _ done: @escaping @Sendable ([SessionID]) -> Void
  ) {
    look { [self] tree in
      let batch = batch(of: idle, in: tree)
      var asleep: [SessionID] = []
      for id in batch where isWanted() {
        asleep += tree.putToSleep([id], unusedSince: time, naming: .max)
      }
      tree.journal?.recordAsleep(asleep.count)
      let rest = idle.dropFirst(batch.count)
      guard !rest.isEmpty, isWanted() else { return done(dropped + asleep) }
      drop(rest, dropped + asleep, unusedSince: time, while: isWanted, done)
    }
  }

  /// Returns the first sessions, as many as may fall asleep under one lock.
  private func batch(
    of idle: ArraySlice<SessionID>,
    in tree: borrowing TreeManager
  ) -> ArraySlice<SessionID> {
    var named = 0
    return idle.prefix(Self.maxSleepBatch).prefix { id in
      defer { named += tree.namedCount(of: id) }
      return named < Self.maxNamedTogether
    }
  }

  /// Removes the tree from memory when its executor runs next, if the tree may leave memory then.
  ///
  /// - Parameters:
  ///   - done: Called with its sessions, under the tree's lock, if it was removed.
  ///   - ended: Called at the end, without the lock.
  func leaveMemory(
    _ done: @escaping @Sendable ([SessionID]) -> Void,
    ended: @escaping @Sendable () -> Void
  ) {
    look(
      { [self] tree in
        if let sessions = leaveMemory(&tree) { done(sessions) }
      },
      ended: ended
    )
  }

  private func putToSleep(
    _ idle: ArraySlice<SessionID>,
    unusedSince time: Int,
    _ done: @escaping @Sendable ([SessionID]) -> Void
  ) {
    guard !idle.isEmpty else { return isPuttingToSleep.store(false, ordering: .relaxed) }
    look { [self] tree in
      let batch = batch(of: idle, in: tree)
      let asleep = tree.putToSleep(Array(batch), unusedSince: time)
      tree.journal?.recordAsleep(asleep.count)
      isCrowded.store(tree.isCrowded, ordering: .relaxed)
      done(asleep)
      putToSleep(idle.dropFirst(batch.count), unusedSince: time, done)
    }
  }

  /// Forgets expired answers for retries, of sleeping sessions as well.
  ///
  /// - Parameters:
  ///   - now: The time in seconds.
  ///   - ended: Called without the tree's lock. It does not wait for the answers of sleeping
  ///     sessions.
  func forgetOldAnswers(at now: Int, ended: @escaping @Sendable () -> Void) {
    look(
      { [self] tree in
        tree.forgetOldAnswers(at: now)
        forgetOldAnswers(ofSleeping: Array(tree.asleep.sessions.keys)[...], at: now)
      },
      ended: ended
    )
  }

  private func forgetOldAnswers(ofSleeping ids: ArraySlice<SessionID>, at now: Int) {
    guard !ids.isEmpty else { return }
    look { [self] tree in
      tree.forgetOldAnswers(ofSleeping: ids.prefix(Self.maxSleepBatch), at: now)
      forgetOldAnswers(ofSleeping: ids.dropFirst(Self.maxSleepBatch), at: now)
    }
  }
}

// Waking sessions whose rows take long to make. Only the last step needs the lock of the tree.
extension LockedTree {
  /// Wakes a session on a copy of the tree, if it sleeps and its rows take long to make.
  ///
  /// Other calls use the tree meanwhile. If they change it too much, the session stays asleep, and
  /// the next call that uses it wakes it under the lock.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - mode: The mode of a call that runs on the tree's executor.
  /// - Throws: `overloaded`, and the errors of the meter.
  func wakeOnCopy(_ id: SessionID, _ mode: CallMode) throws(ServiceError) {
    for _ in 0..<SessionStore.maxRowTries {
      var watch: ChangeWatch?
      var waking: WakingSession?
      let copy = try withTree(mode) { tree throws(ServiceError) -> TreeCopy? in
        waking = try tree.sessionToWakeOnCopy(id)
        guard waking != nil else { return nil }
        watch = tree.content.tree.watchChanges()
        return TreeCopy(tree.fork(with: tree.sessions.values))
      }
      guard let copy, let watch, let waking else { return }
      let changes = copy.manager.copying.changes
      copy.manager.meter.begin(mode.control)
      try copy.manager.wakeOnCopy(waking)
      // The former tree is freed after the lock is released.
      defer { withExtendedLifetime(copy) {} }
      let isAwake = try withTree(mode) { tree throws(ServiceError) in
        try tree.wake(id, by: &copy.manager, after: changes, since: watch)
      }
      if isAwake { return }
    }
  }
}

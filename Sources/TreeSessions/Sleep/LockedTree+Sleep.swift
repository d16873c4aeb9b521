import Synchronization
import TreeDomain

extension LockedTree {
  /// The maximum number of sessions that are processed under one lock, so that others are not
  /// delayed.
  private static let maxSleepBatch = 1_000
  /// The number of named nodes after which no further session falls asleep under the same lock.
  private static let maxNamedTogether = 10_000

  /// Puts idle sessions to sleep, except those that may stay awake.
  ///
  /// - Parameters:
  ///   - time: Sessions that were used later stay awake.
  ///   - done: Called with the sessions that sleep now, under the tree's lock.
  func putIdleToSleep(unusedSince time: Int, _ done: @escaping @Sendable ([SessionID]) -> Void) {
    guard isCrowded.load(ordering: .relaxed), !isPuttingToSleep.exchange(true, ordering: .relaxed)
    else {
      return
    }
    look { [self] tree in
      putToSleep(tree.idleSessions(unusedSince: time)[...], unusedSince: time, done)
    }
  }

  /// Drops what was last used before a time: the whole tree if it is stored, otherwise sessions.
  ///
  /// The sessions that were used least recently are dropped first.
  ///
  /// - Parameters:
  ///   - time: The time in seconds.
  ///   - isWanted: Returns true while more should be dropped.
  ///   - done: Called with the sessions that were dropped.
  func relieve(
    at time: Int,
    while isWanted: @escaping @Sendable () -> Bool,
    _ done: @escaping @Sendable ([SessionID]) -> Void
  ) {
    look { [self] tree in
      guard !tree.hasEnded, lastVisit < time else { return done([]) }
      if let sessions = leaveMemory(&tree) { return done(sessions) }
      var dropped: [SessionID] = []
      for id in tree.idleSessions(before: time) where isWanted() {
        dropped += tree.putToSleep([id], unusedSince: time - 1, naming: .max)
      }
      tree.journal?.recordAsleep(dropped.count)
      done(dropped)
    }
  }

  /// Removes the tree from memory as soon as its executor runs.
  ///
  /// - Parameter done: Called with its sessions, under the tree's lock, if it was removed.
  func leaveMemory(_ done: @escaping @Sendable ([SessionID]) -> Void) {
    look { [self] tree in
      if let sessions = leaveMemory(&tree) { done(sessions) }
    }
  }

  private func putToSleep(
    _ idle: ArraySlice<SessionID>,
    unusedSince time: Int,
    _ done: @escaping @Sendable ([SessionID]) -> Void
  ) {
    guard !idle.isEmpty else { return isPuttingToSleep.store(false, ordering: .relaxed) }
    look { [self] tree in
      var named = 0
      let batch = idle.prefix(Self.maxSleepBatch).prefix { id in
        defer { named += tree.namedCount(of: id) }
        return named < Self.maxNamedTogether
      }
      let asleep = tree.putToSleep(Array(batch), unusedSince: time)
      tree.journal?.recordAsleep(asleep.count)
      isCrowded.store(tree.isCrowded, ordering: .relaxed)
      done(asleep)
      putToSleep(idle.dropFirst(batch.count), unusedSince: time, done)
    }
  }

  /// Forgets expired answers for retries, of sleeping sessions as well.
  func forgetOldAnswers(at now: Int) {
    look { [self] tree in
      tree.forgetOldAnswers(at: now)
      forgetOldAnswers(ofSleeping: Array(tree.asleep.sessions.keys)[...], at: now)
    }
  }

  private func forgetOldAnswers(ofSleeping ids: ArraySlice<SessionID>, at now: Int) {
    guard !ids.isEmpty else { return }
    look { [self] tree in
      tree.forgetOldAnswers(ofSleeping: ids.prefix(Self.maxSleepBatch), at: now)
      forgetOldAnswers(ofSleeping: ids.dropFirst(Self.maxSleepBatch), at: now)
    }
  }
}

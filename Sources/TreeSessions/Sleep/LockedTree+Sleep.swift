import Synchronization
import TreeDomain

extension LockedTree {
  /// So many sessions fall asleep, or are looked at asleep, at a time; others get in between.
  private static let maxSleepBatch = 1_000
  /// The most nodes that sessions name which fall asleep at a time, but for the last of them.
  private static let maxNamedTogether = 10_000

  /// Has sessions sleep that nobody has used since some time, but for so many as may stay awake.
  ///
  /// - Parameters:
  ///   - time: The time.
  ///   - done: Called with those that sleep now, and with the tree held.
  func putIdleToSleep(unusedSince time: Int, _ done: @escaping @Sendable ([SessionID]) -> Void) {
    guard isCrowded.load(ordering: .relaxed), !isPuttingToSleep.exchange(true, ordering: .relaxed)
    else {
      return
    }
    look { [self] tree in
      putToSleep(tree.idleSessions(unusedSince: time)[...], unusedSince: time, done)
    }
  }

  /// Drops what nobody has used since before some time: all of the tree if it is stored, else
  /// sessions, those used last at the end.
  ///
  /// - Parameters:
  ///   - time: The time.
  ///   - isWanted: Returns true as long as more is to be dropped.
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
      tree.journal?.noteAsleep(dropped.count)
      done(dropped)
    }
  }

  /// Has the tree leave memory as soon as its executor gets to it.
  ///
  /// - Parameter done: Called with its sessions, and with the tree held, when it has left.
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
      tree.journal?.noteAsleep(asleep.count)
      isCrowded.store(tree.isCrowded, ordering: .relaxed)
      done(asleep)
      putToSleep(idle.dropFirst(batch.count), unusedSince: time, done)
    }
  }

  /// Forgets answers that are kept for retries no longer, of sessions that sleep, too.
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

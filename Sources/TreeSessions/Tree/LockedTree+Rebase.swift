import TreeDomain
import TreeEngine

/// A way to make a prepared change after other changes that were made during its preparation.
struct Rebasing<Answer: Acknowledged> {
  /// Returns the impact of the change on the copy; `nil` if the change must start over.
  var impact: (borrowing TreeManager) -> ChangeImpact?
  /// Returns the answer again, after the other changes were replayed.
  var answer: (inout TreeManager) throws(ServiceError) -> Answer
}

extension LockedTree {
  /// The maximum number of times that changes are replayed before the tree is locked.
  private static var maxRounds: Int { 8 }
  /// The number of logged changes that may be left when the lock is taken before the last round.
  private static var fewChanges: Int { 4 }

  /// Makes a prepared change after others, which are replayed on its copy.
  ///
  /// Other calls continue to make small changes meanwhile. Each round leaves fewer changes to
  /// replay, because a replay takes less time than the requests.
  ///
  /// - Returns: The answer; `nil` if the change must start over.
  func rebase<Answer: Acknowledged>(
    _ prepared: Prepared<Answer>,
    _ change: PreparedChange<Answer>,
    _ attempt: Attempt
  ) throws(ServiceError) -> Answer? {
    guard let rebasing = change.rebasing, let log = prepared.log else { return nil }
    let copy = prepared.copy
    guard let impact = rebasing.impact(copy.manager) else { return nil }
    var answer: Answer?
    /// Replays newly logged changes, and makes the answer again if there were any. Returns false if
    /// the prepared change must start over.
    func catchUp() throws(ServiceError) -> Bool {
      guard let changes = log.popAll(), !changes.contains(where: { $0.entry.isRetry(of: change) }),
        copy.manager.replay(changes, beneath: impact)
      else { return false }
      if answer == nil || !changes.isEmpty { answer = try rebasing.answer(&copy.manager) }
      return true
    }
    for _ in 0..<Self.maxRounds {
      guard try catchUp() else { return nil }
      if log.count <= Self.fewChanges { break }
    }
    // The former tree is freed after the lock is released.
    defer { withExtendedLifetime(copy) {} }
    return try withTree(.attempt(attempt)) { tree throws(ServiceError) -> Answer? in
      guard try catchUp(), let answer, copy.manager.hasCaughtUp(with: tree, prepared, log) else {
        return nil
      }
      let given = try self.replace(&tree, by: prepared, change, answering: answer)
      executor.meter.addRebase()
      return given
    }
  }
}

extension JournalEntry {
  /// Returns true if this committed request has the idempotency key of a prepared change.
  fileprivate func isRetry(of change: PreparedChange<some Acknowledged>) -> Bool {
    guard let key = change.entry.options.idempotency else { return false }
    return options.idempotency?.token == key.token
  }
}

import TreeDomain
import TreeEngine

/// A way to make a change after others that were made while it was prepared on a copy.
struct Rebasing<Answer: Acknowledged> {
  /// Returns the impact of the change on the copy; `nil` if the change must start over.
  var impact: (borrowing TreeManager) -> ChangeImpact?
  /// Returns the answer after the others.
  var answer: (inout TreeManager) throws(ServiceError) -> Answer
}

extension LockedTree {
  /// The maximum number of times that changes are replayed before the tree is locked.
  private static var maxRounds: Int { 8 }
  /// The number of changes that may be replayed under the lock.
  private static var fewChanges: Int { 4 }

  /// Makes a prepared change after others, which are replayed on its copy.
  ///
  /// Others go on with small changes meanwhile. Each round leaves fewer of them, because a replay
  /// takes less time than the requests.
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
    /// Replays what was logged since, and writes the answer again; returns false if it must start
    /// over.
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

extension TreeManager {
  /// Returns true if all changes of a tree since this copy of it was made were replayed here.
  fileprivate func hasCaughtUp(
    with tree: borrowing TreeManager,
    _ prepared: LockedTree.Prepared<some Acknowledged>,
    _ log: ChangeLog
  ) -> Bool {
    copying.original === tree.exports && !tree.hasEnded
      && tree.copying.changes == prepared.changesBefore + log.transactions
      && tree.tree.commitNumber == self.tree.commitNumber
      && tree.treeRevision == treeRevision
  }
}

extension JournalEntry {
  /// Returns true if this is an answered request with the same idempotency key.
  fileprivate func isRetry(of change: PreparedChange<some Acknowledged>) -> Bool {
    guard let key = change.entry.options.idempotency else { return false }
    return options.idempotency?.token == key.token
  }
}

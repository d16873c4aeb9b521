import TreeDomain
import TreeEngine

/// A way to make a prepared change after other changes that were made during its preparation.
struct Rebasing<Answer: Acknowledged> {
  /// Returns the impact of the change on the copy; `nil` if the change must start over.
  var impact: (borrowing TreeManager) -> ChangeImpact?
  /// Returns the answer again, after the other changes were replayed.
  var answer: (inout TreeManager) throws(ServiceError) -> Answer
  /// Updates the answer after changes were replayed, without reading what has changed.
  ///
  /// Returns false if the changes may affect more than revisions and counts. The answer must then
  /// be made again.
  var update: (inout Answer, [ChangeLog.Change], borrowing TreeManager) -> Bool
}

// A change that was prepared on a copy of the tree can come after small ones that were made
// meanwhile.
extension LockedTree {
  /// The maximum number of times that changes are replayed before the tree is locked for as long as
  /// it takes.
  static var maxRounds: Int { 8 }
  /// The number of logged changes that may be left when the lock is taken before the last round.
  private static var fewChanges: Int { 4 }

  /// The result of an attempt to end the preparation under the lock.
  private enum Ending<Answer> {
    case done(Answer)
    /// The answer must be made again, which takes too long under the lock.
    case tooEarly
    case startOver
  }

  /// Makes a prepared change after others, which are replayed on its copy.
  ///
  /// Other calls continue to make small changes meanwhile. Each round leaves fewer changes to
  /// replay, because a replay takes less time than the requests. An answer that must be made again
  /// is made without the lock, except in the last round.
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
    // The former tree is freed after the lock is released.
    defer { withExtendedLifetime(copy) {} }
    /// The answer; nil if it must be made again.
    var answer: Answer? = prepared.answer
    /// Replays newly logged changes. Returns false if the prepared change must start over.
    func catchUp() -> Bool {
      guard let changes = log.popAll(), !changes.contains(where: { $0.entry.isRetry(of: change) }),
        copy.manager.replay(changes, beneath: impact)
      else { return false }
      if !changes.isEmpty, var known = answer.take(),
        rebasing.update(&known, changes, copy.manager)
      {
        answer = known
      }
      return true
    }
    for round in 1...Self.maxRounds {
      let isLast = round == Self.maxRounds
      guard catchUp() else { return nil }
      if answer == nil { answer = try rebasing.answer(&copy.manager) }
      try copy.manager.prepareEvents()
      if !isLast, log.count > Self.fewChanges { continue }
      let ending = try withTree(.attempt(attempt)) { tree throws(ServiceError) -> Ending<Answer> in
        guard catchUp() else { return .startOver }
        if answer == nil, isLast { answer = try rebasing.answer(&copy.manager) }
        guard let answer else { return .tooEarly }
        guard copy.manager.hasCaughtUp(with: tree, prepared, log) else { return .startOver }
        let given = try self.replace(&tree, by: prepared, change, answering: answer)
        executor.meter.addRebase()
        return .done(given)
      }
      switch ending {
      case .done(let given): return given
      case .tooEarly: continue
      case .startOver: return nil
      }
    }
    return nil
  }
}

extension JournalEntry {
  /// Returns true if this committed request has the idempotency key of a prepared change.
  fileprivate func isRetry(of change: PreparedChange<some Acknowledged>) -> Bool {
    guard let key = change.entry.options.idempotency else { return false }
    return options.idempotency?.token == key.token
  }
}

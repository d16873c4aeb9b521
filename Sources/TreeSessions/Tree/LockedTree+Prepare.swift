import TreeDomain
import TreeEngine

/// A change that can be prepared on a copy of the tree, before the tree is locked.
struct PreparedChange<Answer: Acknowledged> {
  /// The request.
  var entry: JournalEntry
  /// The encoded entry, if the caller has it.
  var encoded: [UInt8]?
  /// The maximum number of times that the change is prepared on a copy.
  var maxTries = 1
  /// Returns true if the change is large.
  var isLarge: (inout TreeManager) throws(ServiceError) -> Bool
  /// Makes the change, and may announce its entry before the answer is complete.
  var make: (inout TreeManager, LockedTree.Announcement) throws(ServiceError) -> Answer
  /// Stores the answer for retries, after the change was made on a copy.
  var keep: (inout TreeManager, Answer) -> Void
  /// Returns further changes of storage to write with the entry, given the answer.
  var writes: (Answer) -> [StorageChange] = { _ in [] }
  /// The way to make the change in a tree that has changed since it was copied; nil if there is
  /// none.
  var adoption: Adoption<Answer>?
  /// The way to make the change after others that were made meanwhile; nil if the change must then
  /// start over.
  var rebasing: Rebasing<Answer>?
  /// Returns the control of the change, given the control of its request.
  var control: ((any WorkControl)?) -> (any WorkControl)? = { $0 }
}

/// A way to make a change in a tree that has changed since it was copied.
///
/// The expensive part of the change is taken from the copy.
struct Adoption<Answer: Acknowledged> {
  /// Returns the prepared part, given the tree and its copy; `nil` if the part cannot be used.
  var rows: (borrowing TreeManager, borrowing TreeManager, ChangeWatch) -> PreparedRows?
  /// Makes the change in the tree with the prepared part.
  var make: (inout TreeManager, PreparedRows) throws(ServiceError) -> Answer
}

// Large changes are made on a copy, which then replaces the tree. Only the replacement needs the
// lock.
extension LockedTree {
  /// Makes a change.
  ///
  /// On the tree's executor, a large change is first prepared on a copy. If other calls meanwhile
  /// make changes that cannot be replayed, such as opening sessions, it is prepared once more, and
  /// such calls wait. If other calls change the tree too much, the change is made under the lock.
  ///
  /// - Throws: The errors of the change, and those of ``CommitQueue/admit(isRemoval:)``.
  func change<Answer: Acknowledged>(
    _ mode: CallMode,
    _ change: PreparedChange<Answer>
  ) throws(ServiceError) -> Answer {
    if let attempt = mode.attempt, attempt.runs(on: executor) {
      if let id = change.entry.session { try wakeOnCopy(id, mode) }
      var (number, maxTries) = (0, change.maxTries)
      while number < maxTries {
        guard let prepared = try prepare(change, attempt, isGuarded: number > 0) else { break }
        if let answer = try install(prepared, change, attempt) { return answer }
        if let answer = try rebase(prepared, change, attempt) { return answer }
        if let answer = try adopt(prepared, change, attempt) { return answer }
        number += 1
        if prepared.log?.hasOtherKinds == true { maxTries = max(maxTries, 2) }
      }
    }
    return try withTree(mode) { tree throws(ServiceError) in
      if !tree.meter.isSmall { tree.meter.begin(change.control(mode.control)) }
      return try self.change(
        &tree,
        change.entry,
        change.encoded,
        change.writes,
        announcing: change.make
      )
    }
  }

  /// A change that was made on a copy.
  struct Prepared<Answer: Acknowledged> {
    let copy: TreeCopy
    let answer: Answer
    /// The tree's count of changes when the copy was made.
    let changesBefore: Int
    let duration: Duration
    /// The object that makes the tree record its changes since the copy was made; `nil` if they are
    /// not needed.
    let watch: ChangeWatch?
    /// The changes of the tree since the copy was made; `nil` if they are not logged.
    let log: ChangeLog?
  }

  /// Makes a large change on a copy of the tree.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - attempt: The attempt, on the tree's executor.
  ///   - isGuarded: True if small calls wait whose changes cannot be replayed.
  /// - Returns: The copy and the answer; `nil` if the change must be made under the lock. That is
  ///   so if it is small or a retry, if its refusal must be stored, or if the tree has ended.
  /// - Throws: The errors of the change.
  private func prepare<Answer: Acknowledged>(
    _ change: PreparedChange<Answer>,
    _ attempt: Attempt,
    isGuarded: Bool
  ) throws(ServiceError) -> Prepared<Answer>? {
    var watch: ChangeWatch?
    let begun = try withTree(.attempt(attempt)) { tree throws(ServiceError) -> BegunCopy? in
      let isLong = attempt.job?.isLong == true
      guard !tree.hasEnded else { return nil }
      // Called in any case, because it wakes the session. A copy has no sleeping sessions.
      let isLarge = try change.isLarge(&tree)
      guard isLong || isLarge else { return nil }
      if change.adoption != nil { watch = tree.content.tree.watchChanges() }
      return tree.beginCopy(isLogged: change.rebasing != nil, isGuarded: isGuarded)
    }
    guard let begun else { return nil }
    let copy = begun.copy
    let changesBefore = copy.manager.copying.changes
    let start = ContinuousClock.now
    copy.manager.meter.begin(change.control(CallMode.attempt(attempt).control))
    do throws(ServiceError) {
      let answer = try copy.manager.tryOut { tree throws(ServiceError) in
        try change.make(&tree) { _, _ in }
      }
      guard copy.manager.copying.pending != nil else { return nil }
      copy.manager.prepareCommit()
      try copy.manager.prepareEvents()
      return Prepared(
        copy: copy,
        answer: answer,
        changesBefore: changesBefore,
        duration: start.duration(to: .now),
        watch: watch,
        log: begun.log
      )
    } catch {
      if change.entry.options.idempotency != nil, error.code.isOfApplying { return nil }
      throw error
    }
  }

  /// Replaces the tree by a copy, and appends the entry of the change to the journal.
  ///
  /// - Returns: The answer; `nil` if the tree has changed since it was copied.
  private func install<Answer: Acknowledged>(
    _ prepared: Prepared<Answer>,
    _ change: PreparedChange<Answer>,
    _ attempt: Attempt
  ) throws(ServiceError) -> Answer? {
    let copy = prepared.copy
    // The former tree is freed after the lock is released.
    defer { withExtendedLifetime(copy) {} }
    return try withTree(.attempt(attempt)) { tree throws(ServiceError) -> Answer? in
      guard copy.manager.isCopy(of: tree, after: prepared.changesBefore) else { return nil }
      try change.control(nil)?.check()
      return try self.replace(&tree, by: prepared, change, answering: prepared.answer)
    }
  }

  /// Replaces a tree by the copy on which a change was made, and appends the entry of the change to
  /// the journal.
  func replace<Answer: Acknowledged>(
    _ tree: inout TreeManager,
    by prepared: Prepared<Answer>,
    _ change: PreparedChange<Answer>,
    answering answer: Answer
  ) throws(ServiceError) -> Answer {
    try self.change(&tree, change.entry, change.encoded, change.writes) {
      tree,
      _ throws(ServiceError) in
      tree.journal?.workSinceSnapshot += prepared.duration
      tree.install(&prepared.copy.manager)
      change.keep(&tree, answer)
      return answer
    }
  }

  /// Makes a change, with its prepared part, in a tree that has changed since it was copied.
  ///
  /// - Returns: The answer; `nil` if the change must start over.
  private func adopt<Answer: Acknowledged>(
    _ prepared: Prepared<Answer>,
    _ change: PreparedChange<Answer>,
    _ attempt: Attempt
  ) throws(ServiceError) -> Answer? {
    guard let adoption = change.adoption, let watch = prepared.watch else { return nil }
    let copy = prepared.copy
    return try withTree(.attempt(attempt)) { tree throws(ServiceError) -> Answer? in
      guard copy.manager.copying.original === tree.exports, !tree.hasEnded,
        let rows = adoption.rows(tree, copy.manager, watch)
      else { return nil }
      tree.meter.begin(change.control(CallMode.attempt(attempt).control))
      return try self.change(&tree, change.entry, change.encoded, change.writes) {
        tree,
        _ throws(ServiceError) in
        try adoption.make(&tree, rows)
      }
    }
  }
}

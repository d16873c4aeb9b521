import TreeDomain
import TreeEngine

/// A change that may be made on a copy of the tree, before it is made under the lock.
struct PreparedChange<Answer: Acknowledged> {
  /// The request.
  var entry: JournalEntry
  /// The entry's text, where it is made already.
  var encoded: [UInt8]?
  /// The most times that it is made on a copy.
  var maxTries = 1
  /// Returns true if it is not small.
  var isLarge: (inout TreeManager) throws(ServiceError) -> Bool
  /// Makes the change, and says when it is certain.
  var make: (inout TreeManager, LockedTree.Announcement) throws(ServiceError) -> Answer
  /// Keeps the answer for retries, where it was made on a copy.
  var keep: (inout TreeManager, Answer) -> Void
  /// The changes of storage to be written with it, given the answer.
  var writes: (Answer) -> [StorageChange] = { _ in [] }
  /// The way to make it in a tree that others have changed since the copy was made.
  var adoption: Adoption<Answer>?
  /// Makes the control that may stop it out of that of its request.
  var control: ((any WorkControl)?) -> (any WorkControl)? = { $0 }
}

/// The way to make a change whose expensive part is taken over from a copy, though others have
/// changed the tree meanwhile.
struct Adoption<Answer: Acknowledged> {
  /// Returns the part made on a copy, given the tree and the copy; `nil` where it is of no use.
  var layer:
    (borrowing TreeManager, borrowing TreeManager, ChangeWatch) -> PreparedLayer<Fanout<64>>?
  /// Makes the change in the tree with that part.
  var make: (inout TreeManager, PreparedLayer<Fanout<64>>) throws(ServiceError) -> Answer
}

// Large changes are made on a copy, which takes the tree's place: the lock is held for that alone.
extension LockedTree {
  /// Makes a change: if it is large, on a copy, as long as nobody else changes the tree meanwhile.
  ///
  /// - Throws: What the change does, and what ``CommitQueue/admit()`` does.
  func change<Answer: Acknowledged>(
    _ mode: CallMode,
    _ change: PreparedChange<Answer>
  ) throws(ServiceError) -> Answer {
    if let attempt = mode.attempt, attempt.runs(on: executor) {
      for _ in 0..<change.maxTries {
        guard let prepared = try prepare(change, attempt) else { break }
        if let answer = try install(prepared, change, attempt) { return answer }
        if let answer = try adopt(prepared, change, attempt) { return answer }
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
  private struct Prepared<Answer: Acknowledged> {
    let copy: TreeCopy
    let answer: Answer
    /// The number of changes of the tree before the copy was made.
    let changesBefore: Int
    let duration: Duration
    /// Has the tree record what changes it; `nil` where that is of no use.
    let watch: ChangeWatch?
  }

  /// Makes a large change on a copy of the tree.
  ///
  /// - Returns: What was made; `nil` where the change has to be made under the lock: it is small,
  ///   was made before, or its refusal is to be kept.
  private func prepare<Answer: Acknowledged>(
    _ change: PreparedChange<Answer>,
    _ attempt: Attempt
  ) throws(ServiceError) -> Prepared<Answer>? {
    var watch: ChangeWatch?
    let copy = try withTree(.attempt(attempt)) { tree throws(ServiceError) -> TreeCopy? in
      let isLong = attempt.job?.isLong == true
      guard !tree.hasEnded, try isLong ? true : change.isLarge(&tree) else { return nil }
      if change.adoption != nil { watch = tree.tree.watchChanges() }
      return TreeCopy(tree.fork(with: tree.sessions.values))
    }
    guard let copy else { return nil }
    let changesBefore = copy.manager.copying.changes
    let start = ContinuousClock.now
    copy.manager.meter.begin(change.control(CallMode.attempt(attempt).control))
    do throws(ServiceError) {
      let answer = try change.make(&copy.manager) { _, _ in }
      guard copy.manager.copying.pending != nil else { return nil }
      return Prepared(
        copy: copy,
        answer: answer,
        changesBefore: changesBefore,
        duration: start.duration(to: .now),
        watch: watch
      )
    } catch {
      if change.entry.options.idempotency != nil, error.code.isOfApplying { return nil }
      throw error
    }
  }

  /// Puts a copy in the tree's place, and adds the entry of its change to the journal.
  ///
  /// - Returns: The answer; `nil` where the tree was changed since the copy was made.
  private func install<Answer: Acknowledged>(
    _ prepared: Prepared<Answer>,
    _ change: PreparedChange<Answer>,
    _ attempt: Attempt
  ) throws(ServiceError) -> Answer? {
    let copy = prepared.copy
    // What was replaced is let go of when the lock is not held any more.
    defer { withExtendedLifetime(copy) {} }
    return try withTree(.attempt(attempt)) { tree throws(ServiceError) -> Answer? in
      guard copy.manager.isCopy(of: tree, after: prepared.changesBefore) else { return nil }
      try change.control(nil)?.check()
      return try self.change(&tree, change.entry, change.encoded, change.writes) {
        tree,
        _ throws(ServiceError) in
        tree.journal?.workSinceSnapshot += prepared.duration
        tree.install(&copy.manager)
        change.keep(&tree, prepared.answer)
        return prepared.answer
      }
    }
  }

  /// Makes a change in a tree that others have changed since the copy was made, with what is
  /// expensive taken from the copy.
  ///
  /// - Returns: The answer; `nil` where the change has to be made anew.
  private func adopt<Answer: Acknowledged>(
    _ prepared: Prepared<Answer>,
    _ change: PreparedChange<Answer>,
    _ attempt: Attempt
  ) throws(ServiceError) -> Answer? {
    guard let adoption = change.adoption, let watch = prepared.watch else { return nil }
    let copy = prepared.copy
    return try withTree(.attempt(attempt)) { tree throws(ServiceError) -> Answer? in
      guard copy.manager.copying.original === tree.exports, !tree.hasEnded,
        let layer = adoption.layer(tree, copy.manager, watch)
      else { return nil }
      tree.meter.begin(change.control(CallMode.attempt(attempt).control))
      return try self.change(&tree, change.entry, change.encoded, change.writes) {
        tree,
        _ throws(ServiceError) in
        try adoption.make(&tree, layer)
      }
    }
  }
}

extension TreeManager {
  /// Tries a change, of which nothing is to be left.
  ///
  /// - Returns: What it would be answered, with what that waits for.
  mutating func tryOut<Answer: Acknowledged>(
    _ change: (inout TreeManager) throws(ServiceError) -> Answer
  ) throws(ServiceError) -> Answer {
    do throws(ServiceError) {
      var answer = try change(&self)
      answer.durability = pendingDurability
      return answer
    } catch {
      var error = error
      if error.code.isOfApplying { error.durability = pendingDurability }
      throw error
    }
  }
}

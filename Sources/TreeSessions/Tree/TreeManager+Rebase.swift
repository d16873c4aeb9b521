import TreeDomain
import TreeEngine

// A long change is prepared on a copy. Small changes that others make meanwhile are replayed on the
// copy before the long one. None of this needs the lock of the tree.
extension TreeManager {
  /// Makes a copy for a long change.
  ///
  /// - Parameter isLogged: True to log the changes of the tree from now on, if they can be replayed
  ///   on the copy.
  /// - Returns: The copy.
  mutating func beginCopy(isLogged: Bool) -> BegunCopy {
    let log = isLogged ? ChangeLog() : nil
    copying.log = log
    let copy = TreeCopy(fork(with: sessions.values))
    if log != nil { copy.manager.tree.reserveNodes() }
    return BegunCopy(copy: copy, log: log)
  }

  /// Does the part of a commit on this copy that needs no lock of the tree.
  mutating func prepareCommit() { tree.prepareCommit { [meter] in meter.pass($0) } }

  /// Counts a transaction that begins, and makes the engine record it if there is a log.
  mutating func countChange() {
    copying.changes += 1
    tree.isRecording = copying.log != nil
  }

  /// Logs a commit while a copy is used.
  ///
  /// `isChange` is false if the commit changed nothing.
  mutating func logCommit(isChange: Bool) {
    guard let log = copying.log else { return }
    let record = tree.popRecord()
    guard isChange else { return log.skip() }
    guard let entry = copying.request, let record, entry.canBeReplayed else { return log.void() }
    log.add(ChangeLog.Change(entry: entry, record: record))
  }

  /// Replays changes of the original on this copy, before the change that was made on the copy.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - impact: The impact of the change that was made on this copy.
  /// - Returns: False if a replayed change cannot precede the one of this copy, or has another
  ///   effect here. The copy is then useless.
  mutating func replay(_ changes: [ChangeLog.Change], beneath impact: ChangeImpact) -> Bool {
    if changes.isEmpty { return true }
    guard tree.canSetAside else { return false }
    let (before, pending) = (before, copying.pending)
    tree.setAside(impact.nodes)
    for change in changes {
      copying.replay = ReplayedChange(record: change.record, orders: impact.orders)
      // The original accepted the change, so a failure here is caused by the long change.
      guard (try? replay(change.entry)) != nil, copying.replay == nil else { return false }
    }
    tree.takeUp()
    (self.before, copying.pending) = (before, pending)
    return true
  }

  private mutating func replay(_ entry: JournalEntry) throws(ServiceError) {
    switch (entry.event, entry.session) {
    case (.batch(let batch), let id?):
      _ = try apply(batch, by: session(id), BatchOptions(format: .none), at: entry.time)
    case (.batch(let batch), nil): _ = try apply(batch, BatchOptions(), at: entry.time)
    case (.importNodes(let nodes), nil):
      let forest = try ImportForest(nodes, counting: meter.count)
      _ = try importNodes(forest, BatchOptions(), at: entry.time)
    default: preconditionFailure("it is not logged")
    }
  }

  /// Commits a change that is replayed, and clears ``TreeCopying/replay`` if that succeeds.
  mutating func commitReplay(isData: Bool, author: OpenSession?) {
    guard let replay = copying.replay, isData || author != nil else { return }
    let isDone = tree.commitBeneath(as: replay.record, changesData: isData) { key, former, now in
      replay.orders.contains { order in
        var keys = SortKeys(order, capacity: 2)
        for object in [former, now] {
          keys.append(.init(key: key, object: object.isEmpty ? Self.null[...] : object))
        }
        return keys[0] != keys[1]
      }
    }
    guard isDone else { return }
    copying.replay = nil
    if isData {
      dataCommits.append(tree.commitNumber, keeping: limits.history.commits)
      author?.revisions.recordAuthored(keeping: limits.history.commits)
    } else {
      author?.revisions.advance(to: tree.commitNumber, keeping: limits.history.commits)
    }
  }
}

extension JournalEntry {
  /// True if the change can be replayed on a copy.
  fileprivate var canBeReplayed: Bool {
    switch event {
    case .batch(let batch): !batch.operations.contains(where: \.changesSections)
    case .importNodes: true
    case .makeTree, .openSession, .closeSession, .patch: false
    }
  }
}

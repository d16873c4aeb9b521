import TreeDomain
import TreeEngine

// Snapshots, from which a tree can be read without its earlier entries.
extension LockedTree {
  /// Begins a snapshot of the tree, unless one is being written or space is short.
  ///
  /// The caller has locked the tree.
  func beginSnapshot(_ tree: inout TreeManager) {
    guard let archive, let journal = tree.journal, journal.isLoaded, !tree.hasEnded,
      !journal.isWritingSnapshot
    else { return }
    // Read in this order, so that a loss after the first read shows in one of the two.
    let epoch = archive.queue.losses
    guard !isLost else { return }
    // A snapshot must not use the space of entries, which clients wait for.
    let bytes = tree.likelySnapshotBytes(before: journal.snapshotBytes)
    guard archive.storage.hasRoom(for: bytes) else {
      tree.journal?.putOffSnapshot()
      return
    }
    tree.journal?.beginSnapshot()
    // The next change copies shared memory, so it must not run on an event loop.
    tree.exports.begin()
    let snapshot = StoredSnapshot(
      tree: journal.number,
      entry: journal.lastEntry,
      parts: 0,
      revision: Int(tree.treeRevision.number),
      nodeCount: tree.nodeCount
    )
    let exports = tree.exports
    SnapshotWriter(ManagerImage(of: tree), snapshot, of: self, exports, archive, epoch: epoch)
      .start()
  }

  /// Ends a snapshot.
  ///
  /// - Parameters:
  ///   - exports: The counter that counts the snapshot. If the tree was read again, it has another
  ///     counter now.
  ///   - bytes: The size of the snapshot; nil if it failed.
  func endSnapshot(countedBy exports: LiveExports, bytes: Int?) {
    exports.end()
    runInBackground { [self] tree throws(ServiceError) in
      guard tree.exports === exports else { return }
      tree.journal?.endSnapshot(bytes: bytes)
      // More may have been removed meanwhile.
      if bytes != nil { makeRoom(tree) }
    }
  }

  /// Requests a snapshot if space is short and a snapshot would free much of it.
  func makeRoom(_ tree: borrowing TreeManager) {
    if tree.wouldShrink, archive?.queue.isShortOfRoom == true { wantSnapshot() }
  }
}

extension TreeJournal {
  /// Returns an estimate of the time to read a snapshot, which is less than the time to write it.
  private static func readingTime(bytes: Int) -> Duration { .microseconds(bytes / 100) }

  /// Returns true if applying the entries would take about as long as reading a snapshot.
  ///
  /// Both the size and the work of the entries count, because a short entry may sort a million
  /// nodes.
  func isSnapshotDue(_ limits: SessionLimits) -> Bool {
    guard !isWritingSnapshot else { return false }
    return entriesSinceSnapshot >= limits.snapshotEntries
      || bytesSinceSnapshot >= max(limits.snapshotBytes, snapshotBytes / 2)
      || workSinceSnapshot >= max(limits.snapshotWork, Self.readingTime(bytes: snapshotBytes))
  }
}

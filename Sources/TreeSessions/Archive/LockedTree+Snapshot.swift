import TreeDomain
import TreeEngine

// Snapshots, so that a tree can be read without all that ever happened to it.
extension LockedTree {
  /// Has the tree written down whole.
  ///
  /// To be called by one who holds the tree.
  func beginSnapshot(_ tree: inout TreeManager) {
    guard let archive, let journal = tree.journal, journal.isLoaded, !tree.hasEnded,
      !journal.isWritingSnapshot
    else { return }
    // Asked for in this order: a loss later than the first answer is seen in one of the two.
    let epoch = archive.queue.losses
    guard !isLost else { return }
    // One that did not fit would take the room of entries, which clients wait for.
    let bytes = tree.likelySnapshotBytes(before: journal.snapshotBytes)
    guard archive.storage.hasRoom(for: bytes) else {
      tree.journal?.putOffSnapshot()
      return
    }
    tree.journal?.beginSnapshot()
    // What shares its memory is copied by the next change: it must not be one on an event loop.
    tree.exports.begin()
    let snapshot = StoredSnapshot(
      tree: journal.number,
      entry: journal.lastEntry,
      parts: 0,
      revision: Int(tree.treeRevision.number),
      nodeCount: tree.nodeCount
    )
    let exports = tree.exports
    SnapshotWriter(tree.image(), snapshot, of: self, exports, archive, epoch: epoch).start()
  }

  /// A snapshot is written, so many bytes, or will not be.
  ///
  /// - Parameters:
  ///   - exports: Among which it counts; those of the tree as it was when that began, which may
  ///     have been lost since, and read anew.
  ///   - bytes: How many bytes it has; nil where it will not be.
  func endSnapshot(countedBy exports: LiveExports, bytes: Int?) {
    exports.end()
    runInBackground { [self] tree throws(ServiceError) in
      guard tree.exports === exports else { return }
      tree.journal?.endSnapshot(bytes: bytes)
      // More may have been removed meanwhile.
      if bytes != nil { makeRoom(tree) }
    }
  }

  /// Has the tree written down whole where that makes room, and there is hardly any.
  func makeRoom(_ tree: borrowing TreeManager) {
    if tree.wouldShrink, archive?.queue.isShortOfRoom == true { wantSnapshot() }
  }
}

extension TreeManager {
  /// About how many bytes a snapshot has at least: keys, objects, and some for each node.
  private var leastSnapshotBytes: Int { tree.usedByteCount + 16 * nodeCount }

  /// About how many bytes a snapshot has at most, given those of the last one: what may have been
  /// removed since is not in it.
  fileprivate func likelySnapshotBytes(before: Int) -> Int {
    let least = leastSnapshotBytes
    return max(least, min(before, 4 * least + 1 << 20))
  }

  /// Whether storage would have much less of the tree after a snapshot than it has.
  ///
  /// What was removed stands in its entries, and in the last snapshot, until there is another one.
  fileprivate var wouldShrink: Bool {
    guard let journal, !journal.isWritingSnapshot else { return false }
    return journal.snapshotBytes + journal.entryBytes > 2 * leastSnapshotBytes + 2 << 20
  }
}

extension TreeJournal {
  /// About how long a snapshot takes to be read, and a part of what it takes to be written.
  private static func readingTime(bytes: Int) -> Duration { .microseconds(bytes / 100) }

  /// Whether so much has happened since the last snapshot that reading it would take as long as the
  /// snapshot itself: by what entries weigh, or by what they did, for one of some bytes may sort a
  /// million nodes.
  func isSnapshotDue(_ limits: SessionLimits) -> Bool {
    guard !isWritingSnapshot else { return false }
    return entriesSinceSnapshot >= limits.snapshotEntries
      || bytesSinceSnapshot >= max(limits.snapshotBytes, snapshotBytes / 2)
      || workSinceSnapshot >= max(limits.snapshotWork, Self.readingTime(bytes: snapshotBytes))
  }
}

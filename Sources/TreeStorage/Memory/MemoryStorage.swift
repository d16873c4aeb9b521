import Synchronization
package import TreeDomain

/// Storage in memory.
///
/// It survives a store, but not the process.
///
/// Tests use it as the model of ``SQLiteStorage``, and as a disk that can be told to fail.
package final class MemoryStorage: TreeStorage {
  struct Tree {
    var stored: StoredTree
    var entries: [Int: StoredEntry] = [:]
    var lastEntry = 0
    var snapshot: Snapshot?
    var unfinished: Snapshot?
  }

  struct Snapshot {
    var stored: StoredSnapshot
    var parts: [[UInt8]] = []
  }

  struct Contents {
    var trees: [TreeNumber: Tree] = [:]
    var nextNumber = TreeNumber(1)
    var retired: [Int: RetiredRevision] = [:]
    var sessions: [SessionID: StoredSession] = [:]
    /// The results of creation requests, oldest first.
    var creations: [StoredCreation] = []
    var clockReading: ClockReading?
    var generations = Generations()
    /// An upper bound of the revisions that were given out.
    var highest = Revision(0)
    /// True if changes were lost since the last call of ``MemoryStorage/generations()``.
    var hasLost = false
    var failure: StorageError?
    var room = Int.max
    var isShortOfRoom = false
  }

  private let contents = Mutex(Contents())
  /// True if reads wait for commits.
  package let readsWait: Bool

  /// A copy of all that was stored at one moment.
  package struct Backup: Sendable {
    fileprivate let contents: Contents
  }

  /// Makes an empty storage.
  package init(readsWait: Bool = false) { self.readsWait = readsWait }

  /// Makes every commit fail with an error from now on; nil ends that.
  package func fail(_ failure: StorageError?) { contents.withLock { $0.failure = failure } }

  /// Limits the room that ``hasRoom(for:)`` reports to a number of bytes.
  package func limitRoom(to bytes: Int) { contents.withLock { $0.room = bytes } }

  /// Sets ``isShortOfRoom``.
  package func beShortOfRoom(_ isShort: Bool) { contents.withLock { $0.isShortOfRoom = isShort } }

  /// Returns a copy of everything that is stored.
  package func backUp() -> Backup { Backup(contents: contents.withLock { $0 }) }

  /// Replaces everything that is stored with a backup, and begins a generation.
  ///
  /// - Precondition: No store uses this storage.
  package func restore(_ backup: Backup) {
    contents.withLock { contents in
      let block = Generations.block(of: max(contents.highest, backup.contents.highest))
      let start = Generations.start(aboveBlock: block)
      contents = backup.contents
      contents.generations.begin(at: start)
      contents.highest = start
    }
  }

  /// True if only removals should be written; see ``beShortOfRoom(_:)``.
  package var isShortOfRoom: Bool { contents.withLock(\.isShortOfRoom) }

  /// Returns true if a number of bytes can be written in the background.
  package func hasRoom(for bytes: Int) -> Bool { contents.withLock { bytes <= $0.room } }

  /// Applies changes, all or none.
  ///
  /// - Throws: ``StorageError/refused(_:)`` if a tree, entry or session exists already, or the
  ///   error of ``fail(_:)``.
  package func commit(_ changes: [StorageChange]) throws(StorageError) {
    try contents.withLock { contents throws(StorageError) in
      if let failure = contents.failure { throw failure }
      var changed = contents
      for change in changes { try changed.make(change) }
      contents = changed
    }
  }

  /// Checks that a commit would succeed.
  ///
  /// - Throws: The error of ``fail(_:)``.
  package func probe() throws(StorageError) { try commit([]) }

  /// Returns the shared trees, sorted by id.
  package func sharedTrees() -> [StoredTree] {
    contents.withLock { contents in
      contents.trees.values.map(\.described).filter { !$0.isPrivate }.sorted { $0.id < $1.id }
    }
  }

  /// Returns up to `limit` numbers of trees after a number, in order.
  package func trees(after number: TreeNumber, limit: Int) -> [TreeNumber] {
    contents.withLock { Array($0.trees.keys.filter { $0 > number }.sorted().prefix(limit)) }
  }

  /// Returns a tree by its number; `nil` if it was deleted.
  package func tree(_ number: TreeNumber) -> StoredTree? {
    contents.withLock { $0.trees[number]?.described }
  }

  /// Returns a number above those of all trees that ever existed.
  package func nextTreeNumber() -> TreeNumber { contents.withLock { $0.nextNumber } }

  /// Returns the stored reading of the clocks; `nil` if there is none.
  package func clockReading() -> ClockReading? { contents.withLock(\.clockReading) }

  /// Returns the last revision of each slot that has one, in any order.
  package func retiredRevisions() -> [RetiredRevision] {
    contents.withLock { Array($0.retired.values) }
  }

  /// Returns the generations.
  ///
  /// Begins one if changes were lost since the last call.
  package func generations() -> Generations {
    contents.withLock { contents in
      if contents.hasLost {
        let block = Generations.block(of: contents.highest)
        contents.highest = Generations.start(aboveBlock: block)
        contents.generations.begin(at: contents.highest)
        contents.hasLost = false
      }
      return contents.generations
    }
  }

  /// Notes that changes were lost, so that the next call of ``generations()`` begins a generation.
  package func recordLoss(entry number: Int, revision: Int) {
    contents.withLock { contents in
      contents.hasLost = true
      let bound = contents.generations.bound(entry: number, revision: revision)
      contents.highest = max(contents.highest, bound)
    }
  }

  /// Returns entries of a tree after a number, in order, up to a number of bytes.
  package func entries(of tree: TreeNumber, after number: Int, bytes: Int) -> [StoredEntry] {
    contents.withLock { contents in
      var entries: [StoredEntry] = []
      var room = bytes
      while room > 0, let entry = contents.trees[tree]?.entries[number + entries.count + 1] {
        room -= entry.body.count
        entries.append(entry)
      }
      return entries
    }
  }

  /// Returns the snapshot of a tree; `nil` if there is none.
  package func snapshot(of tree: TreeNumber) -> StoredSnapshot? {
    contents.withLock { $0.trees[tree]?.snapshot?.stored }
  }

  /// Returns a part of a snapshot, counted from 0.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if a newer snapshot replaced it, or
  ///   ``StorageError/damaged(_:)`` if it has no such part.
  package func part(_ index: Int, of snapshot: StoredSnapshot) throws(StorageError) -> [UInt8] {
    try contents.withLock { contents throws(StorageError) in
      guard let kept = contents.trees[snapshot.tree]?.snapshot, kept.stored == snapshot else {
        throw .failed("the snapshot was replaced by a newer one")
      }
      guard index < kept.parts.count else { throw .damaged("the snapshot has no part \(index)") }
      return kept.parts[index]
    }
  }

  /// Returns a session; `nil` if it never existed or was deleted.
  package func session(_ id: SessionID) -> StoredSession? {
    contents.withLock { contents in
      guard let session = contents.sessions[id] else { return nil }
      return session.isExpired || contents.trees[session.tree] != nil ? session : nil
    }
  }

  /// Returns the live session with the digest of a secret; `nil` if there is none.
  package func session(openedBy digest: SecretDigest) -> StoredSession? {
    contents.withLock { contents in
      contents.sessions.values.first { session in
        session.digest == digest && !session.isExpired && contents.trees[session.tree] != nil
      }
    }
  }

  /// Returns the number of sessions that have not expired.
  package func sessionCount() -> Int {
    contents.withLock { contents in
      contents.sessions.values.count { !$0.isExpired && contents.trees[$0.tree] != nil }
    }
  }

  /// Returns sessions that expired before a time, the earliest first, from an offset on.
  package func sessions(expiredBefore time: Int, from offset: Int, limit: Int) -> [StoredSession] {
    contents.withLock { contents in
      let over = contents.sessions.values.filter { session in
        !session.isExpired && session.idleTimeoutSeconds > 0 && session.end < time
      }
      return Array(over.sorted { $0.end < $1.end }.dropFirst(offset).prefix(limit))
    }
  }

  /// Returns sessions after an id in the order of ids, expired ones included.
  package func allSessions(after id: SessionID?, limit: Int) -> [StoredSession] {
    contents.withLock { contents in
      let later = contents.sessions.values.filter { session in
        id.map { $0 < session.id } ?? true
          && (session.isExpired || contents.trees[session.tree] != nil)
      }
      return Array(later.sorted { $0.id < $1.id }.prefix(limit))
    }
  }

  /// Returns the results of creation requests with an idempotency key, newest last.
  package func creations() -> [StoredCreation] { contents.withLock { $0.creations } }

  /// Does nothing and returns false, because this storage removes unused data at once.
  package func sweep(limit: Int) -> Bool { false }
}

extension MemoryStorage.Tree {
  /// The tree with the revision and node count after its last entry.
  fileprivate var described: StoredTree {
    var tree = stored
    tree.revision = entries[lastEntry]?.revision ?? snapshot?.stored.revision ?? 0
    tree.nodeCount = entries[lastEntry]?.nodeCount ?? snapshot?.stored.nodeCount ?? 0
    return tree
  }
}

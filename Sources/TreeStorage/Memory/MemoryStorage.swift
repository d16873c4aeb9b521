import Synchronization
public import TreeDomain

/// Storage that outlives a store, but not the process: what another engine has to be equal to.
///
/// It can be told to fail, as a disk does.
public final class MemoryStorage: TreeStorage {
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
    /// As they came.
    var creations: [StoredCreation] = []
    var clockReading: ClockReading?
    var generations = Generations()
    /// No revision above this was given out.
    var highest = Revision(0)
    /// True if changes were lost since a store was made of it.
    var hasLost = false
    var failure: StorageError?
    var room = Int.max
    var isShortOfRoom = false
  }

  private let contents = Mutex(Contents())

  /// A copy of all that was stored at one moment.
  public struct Backup: Sendable {
    fileprivate let contents: Contents
  }

  /// An empty storage.
  public init() {}

  /// Has every commit fail from now on, or none.
  public func fail(_ failure: StorageError?) { contents.withLock { $0.failure = failure } }

  /// Has it say that there is room for so many bytes, and no more.
  public func limitRoom(to bytes: Int) { contents.withLock { $0.room = bytes } }

  /// Has it say that hardly any room is left, or that there is some.
  public func beShortOfRoom(_ isShort: Bool) { contents.withLock { $0.isShortOfRoom = isShort } }

  /// Returns a copy of all that is stored.
  public func backUp() -> Backup { Backup(contents: contents.withLock { $0 }) }

  /// Replaces all that is stored by a backup, and begins a generation.
  ///
  /// - Precondition: No store uses it.
  public func restore(_ backup: Backup) {
    contents.withLock { contents in
      let block = Generations.block(of: max(contents.highest, backup.contents.highest))
      let start = Generations.start(aboveBlock: block)
      contents = backup.contents
      contents.generations.begin(at: start)
      contents.highest = start
    }
  }

  /// Whether hardly any room is left.
  public var isShortOfRoom: Bool { contents.withLock(\.isShortOfRoom) }

  /// Whether so many bytes that are not urgent can be written.
  public func hasRoom(for bytes: Int) -> Bool { contents.withLock { bytes <= $0.room } }

  /// Makes changes, all of them or none.
  public func commit(_ changes: [StorageChange]) throws(StorageError) {
    try contents.withLock { contents throws(StorageError) in
      if let failure = contents.failure { throw failure }
      var changed = contents
      for change in changes { try changed.make(change) }
      contents = changed
    }
  }

  /// Finds out whether a commit would succeed.
  public func probe() throws(StorageError) { try commit([]) }

  /// Lists the shared trees, by their ids.
  public func sharedTrees() -> [StoredTree] {
    contents.withLock { contents in
      contents.trees.values.map(\.described).filter { !$0.isPrivate }.sorted { $0.id < $1.id }
    }
  }

  /// The numbers of trees behind one, so many at most, in order.
  public func trees(after number: TreeNumber, limit: Int) -> [TreeNumber] {
    contents.withLock { Array($0.trees.keys.filter { $0 > number }.sorted().prefix(limit)) }
  }

  /// A tree by its number; `nil` where it was deleted.
  public func tree(_ number: TreeNumber) -> StoredTree? {
    contents.withLock { $0.trees[number]?.described }
  }

  /// A number above those of all trees there ever were.
  public func nextTreeNumber() -> TreeNumber { contents.withLock { $0.nextNumber } }

  /// What the clocks showed when that was last kept.
  public func clockReading() -> ClockReading? { contents.withLock(\.clockReading) }

  /// The last revision of each slot that has one, in any order.
  public func retiredRevisions() -> [RetiredRevision] {
    contents.withLock { Array($0.retired.values) }
  }

  /// Returns the generations of what is stored, for a store that is made of it.
  public func generations() -> Generations {
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

  /// Has the next store begin a generation.
  public func noteLoss(entry number: Int, revision: Int) {
    contents.withLock { contents in
      contents.hasLost = true
      let bound = contents.generations.bound(entry: number, revision: revision)
      contents.highest = max(contents.highest, bound)
    }
  }

  /// Entries of a tree behind one, in order.
  public func entries(of tree: TreeNumber, after number: Int, bytes: Int) -> [StoredEntry] {
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

  /// The snapshot of a tree; `nil` where there is none.
  public func snapshot(of tree: TreeNumber) -> StoredSnapshot? {
    contents.withLock { $0.trees[tree]?.snapshot?.stored }
  }

  /// A part of a snapshot, counted from 0.
  public func part(_ index: Int, of snapshot: StoredSnapshot) throws(StorageError) -> [UInt8] {
    try contents.withLock { contents throws(StorageError) in
      guard let kept = contents.trees[snapshot.tree]?.snapshot, kept.stored == snapshot else {
        throw .failed("the snapshot was replaced by a newer one")
      }
      guard index < kept.parts.count else { throw .damaged("the snapshot has no part \(index)") }
      return kept.parts[index]
    }
  }

  /// A session; `nil` where there never was one, or it was deleted.
  public func session(_ id: SessionID) -> StoredSession? {
    contents.withLock { contents in
      guard let session = contents.sessions[id] else { return nil }
      return session.isExpired || contents.trees[session.tree] != nil ? session : nil
    }
  }

  /// The session that the secret of a digest opens, if it has not expired.
  public func session(openedBy digest: SecretDigest) -> StoredSession? {
    contents.withLock { contents in
      contents.sessions.values.first { session in
        session.digest == digest && !session.isExpired && contents.trees[session.tree] != nil
      }
    }
  }

  /// How many sessions there are that have not expired.
  public func sessionCount() -> Int {
    contents.withLock { contents in
      contents.sessions.values.count { !$0.isExpired && contents.trees[$0.tree] != nil }
    }
  }

  /// Some sessions whose time was over before a moment, the earliest first.
  public func sessions(expiredBefore time: Int, from offset: Int, limit: Int) -> [StoredSession] {
    contents.withLock { contents in
      let over = contents.sessions.values.filter { session in
        !session.isExpired && session.idleTimeoutSeconds > 0 && session.end < time
      }
      return Array(over.sorted { $0.end < $1.end }.dropFirst(offset).prefix(limit))
    }
  }

  /// Returns sessions after one in the order of their ids, those that expired as well.
  public func allSessions(after id: SessionID?, limit: Int) -> [StoredSession] {
    contents.withLock { contents in
      let later = contents.sessions.values.filter { session in
        id.map { $0 < session.id } ?? true
          && (session.isExpired || contents.trees[session.tree] != nil)
      }
      return Array(later.sorted { $0.id < $1.id }.prefix(limit))
    }
  }

  /// What was made for requests with an idempotency key, newest last.
  public func creations() -> [StoredCreation] { contents.withLock { $0.creations } }

  /// Removes nothing: what nothing refers to is gone at once.
  public func sweep(limit: Int) -> Bool { false }
}

extension MemoryStorage.Tree {
  /// The tree with its numbers after the last entry.
  fileprivate var described: StoredTree {
    var tree = stored
    tree.revision = entries[lastEntry]?.revision ?? snapshot?.stored.revision ?? 0
    tree.nodeCount = entries[lastEntry]?.nodeCount ?? snapshot?.stored.nodeCount ?? 0
    return tree
  }
}

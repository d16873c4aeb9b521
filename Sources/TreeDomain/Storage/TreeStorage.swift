/// Persistent storage: trees as journals and snapshots, and the names of trees and sessions.
///
/// It stores bytes, numbers and names without their meaning. A tree is a journal of entries,
/// numbered from 1 without gaps, and at most one snapshot. A snapshot contains all changes up to
/// one entry, and ``sweep(limit:)`` removes older entries. Readers see what is committed.
///
/// Every function may wait for a disk and can be called from any thread. Only one commit runs at a
/// time.
package protocol TreeStorage: AnyObject, Sendable {
  /// Applies changes, all or none. When it returns, they survive a crash and a loss of power.
  ///
  /// - Parameter changes: The changes in order.
  /// - Throws: ``StorageError``. Nothing was changed then, and the next commit may succeed.
  func commit(_ changes: [StorageChange]) throws(StorageError)

  /// Writes a part of a long entry ahead of the commit that appends it.
  ///
  /// Other commits may come in between, so that they do not wait for the whole entry. Readers see
  /// nothing of the entry before it is appended. It need not be: its parts are removed then.
  ///
  /// At most one entry is written ahead. Another one takes its place.
  ///
  /// - Parameters:
  ///   - entry: The entry, the same in each call.
  ///   - tree: Its tree.
  ///   - bytes: The approximate number of bytes to write.
  /// - Returns: True if there is more to write. False if the commit can follow, which writes
  ///   whatever was not written ahead.
  /// - Throws: ``StorageError``. After an error of the disk, nothing of the entry is kept.
  func writeAhead(
    _ entry: StoredEntry,
    of tree: TreeNumber,
    bytes: Int
  ) throws(StorageError) -> Bool

  /// Does maintenance that commits postpone. It changes no data.
  ///
  /// The committing thread calls it from time to time, after all waiting commits were acknowledged.
  func tidy()

  /// Calls a closure when storage can take writes in the background, possibly at once.
  ///
  /// Before that, such writes would delay the writes of clients.
  func whenIdle(_ body: @escaping @Sendable () -> Void)

  /// Checks that a commit would succeed, after one failed.
  ///
  /// - Throws: ``StorageError`` if it would fail.
  func probe() throws(StorageError)

  /// Returns true if a number of bytes can be written in the background and urgent writes still
  /// have room. An estimate.
  func hasRoom(for bytes: Int) -> Bool

  /// True if so little room is left that only removals should be written, which may free some.
  ///
  /// Reading it takes some work, so it should not be read often.
  var isShortOfRoom: Bool { get }

  /// True if answers to reads also wait until everything that they show is committed.
  ///
  /// Otherwise a read can show a change that a crash undoes. False by default.
  var readsWait: Bool { get }

  /// Returns the shared trees, sorted by id.
  func sharedTrees() throws(StorageError) -> [StoredTree]

  /// Returns up to `limit` numbers of trees after a number, in order.
  func trees(after number: TreeNumber, limit: Int) throws(StorageError) -> [TreeNumber]

  /// Returns a tree by its number; `nil` if it was deleted.
  func tree(_ number: TreeNumber) throws(StorageError) -> StoredTree?

  /// Returns a number above those of all trees that ever existed.
  func nextTreeNumber() throws(StorageError) -> TreeNumber

  /// Returns the stored reading of the clocks; `nil` if there is none.
  func clockReading() throws(StorageError) -> ClockReading?

  /// Returns the last revision of each slot that has one, in any order.
  func retiredRevisions() throws(StorageError) -> [RetiredRevision]

  /// Records that changes were lost whose revisions may have been shown.
  ///
  /// Their trees continue above these revisions. The process remembers this, but may end before it
  /// is stored. So an engine begins a generation when it is next opened. The record is on disk when
  /// this returns. If it cannot be written, nothing happens.
  ///
  /// - Parameters:
  ///   - number: The highest number of an entry that was lost.
  ///   - revision: The highest revision of a tree that was lost.
  func recordLoss(entry number: Int, revision: Int)

  /// Returns the generations of what is stored; they do not change while storage is open.
  ///
  /// An engine begins a generation when it is opened on other contents than it had last, because a
  /// backup was restored. It must detect each restored backup, whatever way it was put in place. It
  /// must not mistake the end of a process or a loss of power for one. The new generation begins
  /// above every revision that was used before, even by generations that are not in the backup.
  func generations() throws(StorageError) -> Generations

  /// Returns entries of a tree after a number, in order, up to a number of bytes.
  ///
  /// Returns at least one entry if there is any.
  ///
  /// - Precondition: `bytes` is positive.
  /// - Throws: ``StorageError/damaged(_:)`` if an entry is missing or damaged.
  func entries(
    of tree: TreeNumber,
    after number: Int,
    bytes: Int
  ) throws(StorageError) -> [StoredEntry]

  /// Returns the snapshot of a tree; `nil` if there is none.
  func snapshot(of tree: TreeNumber) throws(StorageError) -> StoredSnapshot?

  /// Returns a part of a snapshot, counted from 0.
  ///
  /// - Throws: ``StorageError/damaged(_:)`` if it is missing or damaged.
  func part(_ index: Int, of snapshot: StoredSnapshot) throws(StorageError) -> [UInt8]

  /// Returns a session; `nil` if it never existed or was deleted.
  func session(_ id: SessionID) throws(StorageError) -> StoredSession?

  /// Returns the live session that a secret opens, given the digest of the secret.
  ///
  /// The lookup uses the selector only, and then compares the digest in constant time.
  func session(openedBy digest: SecretDigest) throws(StorageError) -> StoredSession?

  /// Returns the number of sessions that have not expired.
  func sessionCount() throws(StorageError) -> Int

  /// Returns sessions that expired before a time, the earliest first, from an offset on.
  func sessions(
    expiredBefore time: Int,
    from offset: Int,
    limit: Int
  ) throws(StorageError) -> [StoredSession]

  /// Returns sessions after one in the order of their ids, those that expired as well.
  ///
  /// - Parameters:
  ///   - id: The session before the first one; nil to begin.
  ///   - limit: The largest number of sessions.
  /// - Returns: The sessions; none behind the last one.
  /// - Throws: ``StorageError``.
  func allSessions(after id: SessionID?, limit: Int) throws(StorageError) -> [StoredSession]

  /// Runs a closure whose reads all see the same state, whatever is written meanwhile.
  func reading(_ body: () -> Void) throws(StorageError)

  /// Returns the results of creation requests with an idempotency key, newest last.
  func creations() throws(StorageError) -> [StoredCreation]

  /// Removes some data that nothing refers to any more.
  ///
  /// - Parameter limit: The largest number of rows to remove. If rows are long, fewer are removed,
  ///   because commits wait meanwhile.
  /// - Returns: True if there may be more.
  /// - Throws: ``StorageError``.
  func sweep(limit: Int) throws(StorageError) -> Bool
}

extension TreeStorage {
  /// False: reads do not wait for commits.
  package var readsWait: Bool { false }

  /// Does nothing, because the commit writes everything.
  package func writeAhead(_ entry: StoredEntry, of tree: TreeNumber, bytes: Int) -> Bool { false }

  /// Does nothing, because commits postpone nothing.
  package func tidy() {}

  /// Calls the closure at once.
  package func whenIdle(_ body: @escaping @Sendable () -> Void) { body() }

  /// Calls the closure.
  ///
  /// For storage without concurrent writers.
  package func reading(_ body: () -> Void) { body() }

  /// Returns sessions that expired before a time, the earliest first.
  package func sessions(
    expiredBefore time: Int,
    limit: Int
  ) throws(StorageError) -> [StoredSession] {
    try sessions(expiredBefore: time, from: 0, limit: limit)
  }
}

/// A reason why storage cannot do something.
package enum StorageError: Error, Equatable, Sendable {
  /// There is not enough room.
  case full(String)
  /// A read or write failed.
  case failed(String)
  /// The data can never be stored, because it is too large or contradicts stored data.
  case refused(String)
  /// Stored data is damaged.
  case damaged(String)
  /// There is not enough memory to read the data.
  case tooLarge(String)

  /// True if the disk is the cause.
  package var isOfDisk: Bool {
    switch self {
    case .full, .failed: true
    case .refused, .damaged, .tooLarge: false
    }
  }

  /// The reason as the end of a sentence.
  package var reason: String {
    switch self {
    case .full(let reason), .failed(let reason), .refused(let reason), .damaged(let reason),
      .tooLarge(let reason):
      reason
    }
  }
}

/// The number of a tree in storage.
///
/// No two trees ever have the same.
package struct TreeNumber: Hashable, Comparable, Sendable {
  /// The number, from 1.
  package let value: Int

  /// Makes a number.
  package init(_ value: Int) { self.value = value }

  /// The next number.
  package var next: TreeNumber { TreeNumber(value + 1) }

  /// Returns true if one number is less than another.
  package static func < (left: TreeNumber, right: TreeNumber) -> Bool { left.value < right.value }
}

/// What outlives the process: trees as journals and snapshots, and the names of trees and sessions.
///
/// Knows bytes, numbers and names, and nothing of what they mean. A tree is a journal of entries,
/// numbered from 1 without gaps, and at most one snapshot of all that happened up to one of them;
/// older entries go with ``sweep(limit:)``. Whoever reads sees what was committed.
///
/// Every function may wait for a disk, and can be called from any thread; commits come one at a
/// time.
public protocol TreeStorage: AnyObject, Sendable {
  /// Makes changes, all of them or none.
  ///
  /// - Parameter changes: The changes, in order.
  /// - Throws: ``StorageError``; nothing was changed then, and the next commit may succeed.
  ///   When it returns, the changes outlive the process and the machine's losing power.
  func commit(_ changes: [StorageChange]) throws(StorageError)

  /// Does what commits left to be done so that they need not wait for it; nothing is changed by it.
  ///
  /// To be called now and then by whoever commits, when all who wait for commits have been told.
  func tidy()

  /// Calls a function when storage has time for what is not urgent, at once if it has it now.
  ///
  /// What is written meanwhile for clients is delayed by nothing else.
  func whenIdle(_ body: @escaping @Sendable () -> Void)

  /// Finds out whether a commit would succeed, after one did not.
  ///
  /// - Throws: ``StorageError`` where it would not.
  func probe() throws(StorageError)

  /// Whether so many bytes can be written that are not urgent, and what is will find room all the
  /// same, as far as can be told.
  func hasRoom(for bytes: Int) -> Bool

  /// Whether so little room is left that only what takes something away is to be written, after
  /// which there may be room again.
  ///
  /// Not quite free: to be asked now and then.
  var isShortOfRoom: Bool { get }

  /// Lists the shared trees, by their ids.
  func sharedTrees() throws(StorageError) -> [StoredTree]

  /// The numbers of trees behind one, so many at most, in order.
  func trees(after number: TreeNumber, limit: Int) throws(StorageError) -> [TreeNumber]

  /// A tree by its number; `nil` where it was deleted.
  func tree(_ number: TreeNumber) throws(StorageError) -> StoredTree?

  /// A number above those of all trees there ever were.
  func nextTreeNumber() throws(StorageError) -> TreeNumber

  /// What the clocks showed when that was last kept; `nil` where it never was.
  func clockReading() throws(StorageError) -> ClockReading?

  /// The last revision of each slot that has one, in any order.
  func retiredRevisions() throws(StorageError) -> [RetiredRevision]

  /// Notes that changes were lost whose revisions may have been shown.
  ///
  /// Their trees continue above them, which the process remembers. Because it may end before that
  /// is stored, an engine begins a generation when it is next opened. The note is on disk when this
  /// returns; if the disk takes no note, nothing happens.
  ///
  /// - Parameters:
  ///   - number: The highest number of an entry that was lost.
  ///   - revision: The highest revision of a tree that was lost.
  func noteLoss(entry number: Int, revision: Int)

  /// Returns the generations of what is stored; they do not change while storage is open.
  ///
  /// An engine begins one when it is opened on contents that are not those it had last: a backup
  /// was restored. It must notice that however the backup was put in place, and must not take the
  /// end of a process or a loss of power for it. The new generation begins above every revision
  /// that was given out before, also by generations that the backup does not know.
  func generations() throws(StorageError) -> Generations

  /// Entries of a tree behind one, in order, until they are so many bytes: at least one, if any is
  /// there.
  ///
  /// - Precondition: `bytes` is positive.
  /// - Throws: ``StorageError/damaged(_:)`` where one is missing, or is not as it was written.
  func entries(
    of tree: TreeNumber,
    after number: Int,
    bytes: Int
  ) throws(StorageError) -> [StoredEntry]

  /// The snapshot of a tree; `nil` where there is none.
  func snapshot(of tree: TreeNumber) throws(StorageError) -> StoredSnapshot?

  /// A part of a snapshot, counted from 0.
  ///
  /// - Throws: ``StorageError/damaged(_:)`` where it is missing, or is not as it was written.
  func part(_ index: Int, of snapshot: StoredSnapshot) throws(StorageError) -> [UInt8]

  /// A session; `nil` where there never was one, or it was deleted.
  func session(_ id: SessionID) throws(StorageError) -> StoredSession?

  /// The session that the secret of a digest opens, if it has not expired.
  ///
  /// It is looked up by the selector, and then compared in the same time whatever there is.
  func session(openedBy digest: SecretDigest) throws(StorageError) -> StoredSession?

  /// How many sessions there are that have not expired.
  func sessionCount() throws(StorageError) -> Int

  /// Some sessions whose time was over before a moment, the earliest first, behind so many.
  func sessions(
    expiredBefore time: Int,
    from offset: Int,
    limit: Int
  ) throws(StorageError) -> [StoredSession]

  /// Has something done while all that it reads is as it was at one moment, whoever writes.
  func reading(_ body: () -> Void) throws(StorageError)

  /// What was made for requests with an idempotency key, newest last.
  func creations() throws(StorageError) -> [StoredCreation]

  /// Removes some of what nothing refers to any more.
  ///
  /// - Parameter limit: The most rows to remove; fewer where they are long, as commits wait
  ///   meanwhile.
  /// - Returns: Whether there may be more.
  /// - Throws: ``StorageError``.
  func sweep(limit: Int) throws(StorageError) -> Bool
}

extension TreeStorage {
  /// Does nothing: commits leave nothing to be done.
  public func tidy() {}

  /// Calls the function at once.
  public func whenIdle(_ body: @escaping @Sendable () -> Void) { body() }

  /// Does just that, where nobody else can write.
  public func reading(_ body: () -> Void) { body() }

  /// Some sessions whose time was over before a moment, the earliest first.
  public func sessions(
    expiredBefore time: Int,
    limit: Int
  ) throws(StorageError) -> [StoredSession] {
    try sessions(expiredBefore: time, from: 0, limit: limit)
  }
}

/// Why storage could not do what it was asked for.
public enum StorageError: Error, Equatable, Sendable {
  /// There is no room.
  case full(String)
  /// Reading or writing failed.
  case failed(String)
  /// Storage works, but this will never be kept: it is too large, or contradicts what is there.
  case refused(String)
  /// What is stored is not what was written.
  case damaged(String)
  /// There is no memory to read it into.
  case tooLarge(String)

  /// Whether it is the disk that would not have it.
  public var isOfDisk: Bool {
    switch self {
    case .full, .failed: true
    case .refused, .damaged, .tooLarge: false
    }
  }

  /// What happened, as the end of a sentence.
  public var reason: String {
    switch self {
    case .full(let reason), .failed(let reason), .refused(let reason), .damaged(let reason),
      .tooLarge(let reason):
      reason
    }
  }
}

/// Names a tree for as long as anything of it is stored; no two trees ever have the same.
public struct TreeNumber: Hashable, Comparable, Sendable {
  /// The number, 1 or more.
  public let value: Int

  /// Makes a number.
  public init(_ value: Int) { self.value = value }

  /// The number after it.
  public var next: TreeNumber { TreeNumber(value + 1) }

  /// Whether one number was given out before another.
  public static func < (left: TreeNumber, right: TreeNumber) -> Bool { left.value < right.value }
}

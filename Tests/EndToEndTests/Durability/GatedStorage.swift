import Foundation
import Synchronization
import TreeDomain
import TreeStorage

/// A storage whose commits block while its gate is shut, as on a slow disk. It counts session
/// reads.
final class GatedStorage: TreeStorage {
  /// True if reads wait for commits.
  let readsWait: Bool
  private let storage: any TreeStorage = MemoryStorage()
  private let gate = NSCondition()
  private let state = Mutex((isShut: false, waiting: 0, sessionReads: 0))

  init(readsWait: Bool = false) { self.readsWait = readsWait }

  /// The number of session reads.
  var sessionReads: Int { state.withLock(\.sessionReads) }

  /// Blocks commits from now on.
  func shut() { state.withLock { $0.isShut = true } }

  /// Releases blocked commits.
  func open() {
    gate.withLock { state.withLock { $0.isShut = false } }
    gate.broadcast()
  }

  /// Waits until a commit is blocked.
  func waitForCommit() {
    gate.withLock {
      while state.withLock(\.waiting) == 0 { gate.wait() }
    }
  }

  func commit(_ changes: [StorageChange]) throws(StorageError) {
    gate.withLock {
      state.withLock { $0.waiting += 1 }
      gate.broadcast()
      while state.withLock(\.isShut) { gate.wait() }
      state.withLock { $0.waiting -= 1 }
    }
    try storage.commit(changes)
  }

  func probe() throws(StorageError) { try storage.probe() }

  func hasRoom(for bytes: Int) -> Bool { storage.hasRoom(for: bytes) }

  var isShortOfRoom: Bool { storage.isShortOfRoom }

  func sharedTrees() throws(StorageError) -> [StoredTree] { try storage.sharedTrees() }

  func trees(after number: TreeNumber, limit: Int) throws(StorageError) -> [TreeNumber] {
    try storage.trees(after: number, limit: limit)
  }

  func tree(_ number: TreeNumber) throws(StorageError) -> StoredTree? {
    try storage.tree(number)
  }

  func recordLoss(entry number: Int, revision: Int) {
    storage.recordLoss(entry: number, revision: revision)
  }

  func nextTreeNumber() throws(StorageError) -> TreeNumber { try storage.nextTreeNumber() }

  func clockReading() throws(StorageError) -> ClockReading? { try storage.clockReading() }

  func retiredRevisions() throws(StorageError) -> [RetiredRevision] {
    try storage.retiredRevisions()
  }

  func generations() throws(StorageError) -> Generations { try storage.generations() }

  func entries(
    of tree: TreeNumber,
    after number: Int,
    bytes: Int
  ) throws(StorageError) -> [StoredEntry] {
    try storage.entries(of: tree, after: number, bytes: bytes)
  }

  func snapshot(of tree: TreeNumber) throws(StorageError) -> StoredSnapshot? {
    try storage.snapshot(of: tree)
  }

  func part(_ index: Int, of snapshot: StoredSnapshot) throws(StorageError) -> [UInt8] {
    try storage.part(index, of: snapshot)
  }

  func session(_ id: SessionID) throws(StorageError) -> StoredSession? {
    state.withLock { $0.sessionReads += 1 }
    return try storage.session(id)
  }

  func session(openedBy digest: SecretDigest) throws(StorageError) -> StoredSession? {
    state.withLock { $0.sessionReads += 1 }
    return try storage.session(openedBy: digest)
  }

  func sessionCount() throws(StorageError) -> Int { try storage.sessionCount() }

  func sessions(
    expiredBefore time: Int,
    from offset: Int,
    limit: Int
  ) throws(StorageError) -> [StoredSession] {
    try storage.sessions(expiredBefore: time, from: offset, limit: limit)
  }

  func allSessions(
    after id: SessionID?,
    limit: Int
  ) throws(StorageError) -> [StoredSession] {
    try storage.allSessions(after: id, limit: limit)
  }

  func creations() throws(StorageError) -> [StoredCreation] {
    try storage.creations()
  }

  func sweep(limit: Int) throws(StorageError) -> Bool { try storage.sweep(limit: limit) }
}

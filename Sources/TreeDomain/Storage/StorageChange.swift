/// One change of what is stored.
public enum StorageChange: Equatable, Sendable {
  /// Enters a tree, which has no entries yet.
  case makeTree(StoredTree)
  /// Keeps what there is to say of a tree beside its numbers.
  case describeTree(TreeNumber, about: [UInt8])
  /// Removes a tree and its sessions.
  case deleteTree(TreeNumber)
  /// Keeps a revision, if its slot has no later one.
  case retire(RetiredRevision)
  /// Adds the next entry to the journal of a tree.
  case append(StoredEntry, to: TreeNumber)
  /// Adds the next part of a snapshot that is not whole yet; the first one begins it. Nothing where
  /// the tree was deleted.
  case addPart([UInt8], index: Int, of: StoredSnapshot)
  /// A snapshot is whole: it takes the place of the one before, and of the entries up to its own.
  /// Nothing, where the tree was deleted.
  case finishSnapshot(StoredSnapshot)
  /// Enters a session, which is not there yet.
  case makeSession(StoredSession)
  /// Keeps when a session was last used and how long it may lie idle, in seconds; as long as before
  /// where that is nil. Nothing where it is gone: this may be told late.
  case renewSession(SessionID, lastUse: Int, idleTimeoutSeconds: Int?)
  /// Removes a session; one that expired is remembered as such, until others expire a day later.
  case removeSession(SessionID, expired: Bool)
  /// Keeps what was made for a request.
  case keepCreation(StoredCreation)
  /// Keeps what the clocks show, in the place of what they showed before.
  case setClock(ClockReading)
}

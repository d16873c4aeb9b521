/// A change of the stored data.
package enum StorageChange: Equatable, Sendable {
  /// Adds a tree without entries.
  case makeTree(StoredTree)
  /// Sets the description of a tree.
  case describeTree(TreeNumber, about: [UInt8])
  /// Removes a tree and its sessions.
  case deleteTree(TreeNumber)
  /// Stores a revision, unless its slot has a later one.
  case retire(RetiredRevision)
  /// Adds the next entry to the journal of a tree.
  case append(StoredEntry, to: TreeNumber)
  /// Adds the next part of an incomplete snapshot. The first part begins it.
  ///
  /// Has no effect if the tree was deleted.
  case addPart([UInt8], index: Int, of: StoredSnapshot)
  /// Completes a snapshot, which replaces the former one and the entries up to its last one.
  ///
  /// Has no effect if the tree was deleted.
  case finishSnapshot(StoredSnapshot)
  /// Adds a session.
  case makeSession(StoredSession)
  /// Sets the last use of a session, and its idle timeout in seconds unless that is nil.
  ///
  /// Has no effect if the session was removed, because this change may come late.
  case renewSession(SessionID, lastUse: Int, idleTimeoutSeconds: Int?)
  /// Removes a session.
  ///
  /// An expired one is remembered for at least a day.
  case removeSession(SessionID, expired: Bool)
  /// Stores the result of a creation request.
  case keepCreation(StoredCreation)
  /// Stores the reading of the clocks in place of the last one.
  case setClock(ClockReading)
}

/// A reading of two clocks at one moment: the monotonic clock of sessions and the wall clock.
///
/// The monotonic clock is never set. Only the wall clock can measure downtime.
package struct ClockReading: Equatable, Sendable {
  /// The monotonic time in seconds.
  package var seconds: Int
  /// The wall-clock time in seconds since 1970.
  package var wallSeconds: Int

  /// Makes a reading.
  package init(seconds: Int, wallSeconds: Int) {
    self.seconds = seconds
    self.wallSeconds = wallSeconds
  }

  /// The difference of the wall clock to the monotonic clock, in seconds.
  package var lead: Int { wallSeconds - seconds }
}

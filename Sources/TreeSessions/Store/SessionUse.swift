import TreeDomain

/// The time of the last use of a session, for storage.
struct SessionUse: Sendable {
  let session: SessionID
  /// The time in seconds.
  let time: Int

  /// The change of storage.
  ///
  /// It does not change the idle timeout.
  var renewal: StorageChange {
    .renewSession(session, lastUse: time, idleTimeoutSeconds: nil)
  }
}

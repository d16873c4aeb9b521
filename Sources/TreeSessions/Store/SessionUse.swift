import TreeDomain

/// When a session was last used, as storage is to know.
struct SessionUse: Sendable {
  let session: SessionID
  /// In seconds.
  let time: Int

  /// What storage is told; how long the session may lie idle it knows better.
  var renewal: StorageChange {
    .renewSession(session, lastUse: time, idleTimeoutSeconds: nil)
  }
}

import TreeDomain

extension SessionTable {
  /// A session in memory.
  struct Entry {
    let tree: LockedTree
    /// The digest of what opens it beside a key.
    let digest: SecretDigest?
    var idleTimeoutSeconds: Int
    /// When a request last named it.
    var lastUse: Int
    /// When storage says that was.
    var storedUse: Int
    /// Whether storage is to be told of a later use.
    var isTouched = false
    /// Streams and waiting requests, which keep it alive.
    var followers = 0

    init(
      _ tree: LockedTree,
      openedBy digest: SecretDigest?,
      idleTimeoutSeconds: Int,
      lastUse: Int
    ) {
      self.tree = tree
      self.digest = digest
      self.idleTimeoutSeconds = idleTimeoutSeconds
      self.lastUse = lastUse
      storedUse = lastUse
    }

    func isExpired(at now: Int) -> Bool {
      idleTimeoutSeconds > 0 && followers == 0 && now - lastUse > idleTimeoutSeconds
    }

    /// What storage is to know of its use.
    func renewal(of id: SessionID) -> StorageChange {
      .renewSession(id, lastUse: lastUse, idleTimeoutSeconds: idleTimeoutSeconds)
    }
  }
}

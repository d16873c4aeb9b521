import TreeDomain

extension SessionTable {
  /// A session in memory.
  struct Entry {
    let tree: LockedTree
    /// The digest of what opens it beside a key.
    let digest: SecretDigest?
    /// The changes that clients of the session may make.
    let access: SessionAccess
    private(set) var idleTimeoutSeconds: Int
    /// The session's revision at which that was changed.
    private var timeoutRevision = Revision(0)
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
      access: SessionAccess,
      idleTimeoutSeconds: Int,
      lastUse: Int
    ) {
      self.tree = tree
      self.digest = digest
      self.access = access
      self.idleTimeoutSeconds = idleTimeoutSeconds
      self.lastUse = lastUse
      storedUse = lastUse
    }

    /// Takes another idle timeout, of a revision; a later one stays, as two may tell of theirs in
    /// another order than they were made.
    mutating func change(idleTimeoutSeconds seconds: Int, at revision: Revision) {
      guard revision >= timeoutRevision else { return }
      (idleTimeoutSeconds, timeoutRevision) = (seconds, revision)
    }

    func isExpired(at now: Int) -> Bool {
      idleTimeoutSeconds > 0 && followers == 0 && now - lastUse > idleTimeoutSeconds
    }

    /// When storage says that it was used, where it cannot be known what that says: long ago.
    static let unknownUse = Int.min / 2
  }
}

import TreeDomain

extension SessionTable {
  /// The approximate memory of a session's entry in the table of sessions, in bytes.
  ///
  /// A table has up to twice as many places as entries.
  static let entryBytes = 2 * (MemoryLayout<SessionID>.stride + MemoryLayout<Entry>.stride)
  /// The approximate memory of a session's entry in the table of secrets, in bytes.
  static let secretBytes = 2 * (MemoryLayout<UInt128>.stride + MemoryLayout<SessionID>.stride)
  /// The approximate memory of a follower, with what its connection needs to follow, in bytes.
  static let followerBytes = 1_024

  /// A session in memory.
  struct Entry {
    let tree: LockedTree
    /// The digest of its secret, if it has one.
    let digest: SecretDigest?
    /// The access of clients that use the secret.
    let access: SessionAccess
    private(set) var idleTimeoutSeconds: Int
    /// The revision of the session at which the timeout was changed.
    private var timeoutRevision = Revision(0)
    /// The time of the last use in seconds.
    var lastUse: Int
    /// The time of the last use that was sent to storage, in seconds.
    var storedUse: Int
    /// True if the session is in ``SessionTable/touched``.
    var isTouched = false
    /// The number of followers, which keep it alive.
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

    /// The approximate memory in the tables, in bytes.
    var byteCount: Int { entryBytes + (digest == nil ? 0 : secretBytes) }

    /// Changes the idle timeout, unless a later revision changed it.
    ///
    /// Two changes may arrive in a different order from that in which they were made.
    mutating func change(idleTimeoutSeconds seconds: Int, at revision: Revision) {
      guard revision >= timeoutRevision else { return }
      (idleTimeoutSeconds, timeoutRevision) = (seconds, revision)
    }

    /// Records a use.
    ///
    /// - Returns: True if the session must be added to ``SessionTable/touched``.
    mutating func recordUse(at now: Int) -> Bool {
      if lastUse != now { lastUse = now }
      guard !isTouched, now - storedUse > StoredSession.grain(idleTimeoutSeconds) else {
        return false
      }
      isTouched = true
      return true
    }

    func isExpired(at now: Int) -> Bool {
      idleTimeoutSeconds > 0 && followers == 0 && now - lastUse > idleTimeoutSeconds
    }

    /// The value of ``storedUse`` if the stored time is not known: long ago.
    static let unknownUse = Int.min / 2
  }
}

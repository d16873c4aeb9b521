import Synchronization
public import TreeDomain

// The secrets and the access of sessions.
extension SessionStore {
  /// Returns the session that a secret opens; see ``TreeService/session(openedBy:at:)``.
  public func session(
    openedBy secret: SessionSecret,
    at named: SessionID? = nil
  ) throws(ServiceError) -> SessionID? {
    if let known = knownSession(openedBy: secret) { return known }
    guard let storage = core.archive?.storage else { return nil }
    return try storedSession(openedBy: secret) { digest throws(StorageError) in
      try storage.session(openedBy: digest)
    }
  }

  /// Returns the stored session that a secret opens.
  ///
  /// - Parameters:
  ///   - secret: The secret.
  ///   - find: Returns a session by the digest of its secret, and may wait for storage.
  /// - Returns: The session; nil if there is none, or if it has expired.
  /// - Throws: The error of storage, or a refusal if the call must not wait for it.
  public func storedSession(
    openedBy secret: SessionSecret,
    _ find: (SecretDigest) throws(StorageError) -> StoredSession?
  ) throws(ServiceError) -> SessionID? {
    try mayAskStorage()
    let digest = SecretDigest(of: secret)
    let stored = try Archive.reading { () throws(StorageError) in try find(digest) }
    guard let stored, !stored.isOver(at: core.clock()) else { return nil }
    return stored.id
  }

  /// Returns the session in memory that a secret opens.
  ///
  /// - Returns: The session; `.some(nil)` if no living session has the secret; `nil` if storage
  ///   must be asked.
  public func knownSession(openedBy secret: SessionSecret) -> SessionID?? {
    let now = core.clock()
    let digest = SecretDigest(of: secret)
    let known = core.table.withLock { table in
      table.session(selectedBy: digest).map { ($0, table.sessions[$0]) }
    }
    guard let (id, entry) = known else { return nil }
    guard let entry, entry.digest == digest, !entry.isExpired(at: now) else { return .some(nil) }
    return id
  }

  /// Returns the access of a session; see ``TreeService/access(of:)``.
  public func access(of id: SessionID) throws(ServiceError) -> SessionAccess? {
    let now = core.clock()
    if let entry = core.table.withLock({ $0.sessions[id] }) {
      return entry.isExpired(at: now) ? nil : entry.access
    }
    guard let storage = core.archive?.storage else { return nil }
    try mayAskStorage()
    let stored = try Archive.reading { () throws(StorageError) in try storage.session(id) }
    guard let stored, !stored.isExpired, !stored.isOver(at: now) else { return nil }
    return stored.access
  }
}

/// A stored session.
package struct StoredSession: Equatable, Sendable {
  /// The id of the session.
  package var id: SessionID
  /// The number of its tree.
  package var tree: TreeNumber
  /// True if the tree is private.
  package var isPrivate: Bool
  /// The idle timeout in seconds.
  ///
  /// 0 for none.
  package var idleTimeoutSeconds: Int
  /// The approximate time of the last use, in seconds since 1970.
  package var lastUse: Int
  /// True if the session expired and is only remembered.
  package var isExpired = false
  /// The changes that clients of it may make.
  package var access = SessionAccess.write
  /// The digest of its secret, if it has one.
  package var digest: SecretDigest?

  /// Makes a session.
  package init(
    id: SessionID,
    tree: TreeNumber,
    isPrivate: Bool,
    idleTimeoutSeconds: Int,
    lastUse: Int
  ) {
    self.id = id
    self.tree = tree
    self.isPrivate = isPrivate
    self.idleTimeoutSeconds = idleTimeoutSeconds
    self.lastUse = lastUse
  }

  /// The time at which it expires, in seconds since 1970, unless the idle timeout is 0.
  package var end: Int { lastUse + idleTimeoutSeconds }

  /// The time for which an expired session is remembered, in seconds.
  package static let rememberedSeconds = 86_400
}

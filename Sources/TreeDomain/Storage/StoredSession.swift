/// A stored session.
public struct StoredSession: Equatable, Sendable {
  /// The id of the session.
  public var id: SessionID
  /// The number of its tree.
  public var tree: TreeNumber
  /// True if the tree is private.
  public var isPrivate: Bool
  /// The idle timeout in seconds.
  ///
  /// 0 for none.
  public var idleTimeoutSeconds: Int
  /// The approximate time of the last use, in seconds since 1970.
  public var lastUse: Int
  /// True if the session expired and is only remembered.
  public var isExpired = false
  /// The changes that clients of it may make.
  public var access = SessionAccess.write
  /// The digest of its secret, if it has one.
  public var digest: SecretDigest?

  /// Makes a session.
  public init(
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
  public var end: Int { lastUse + idleTimeoutSeconds }

  /// The time for which an expired session is remembered, in seconds.
  public static let rememberedSeconds = 86_400
}

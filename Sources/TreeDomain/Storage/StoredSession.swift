/// A session by its names.
public struct StoredSession: Equatable, Sendable {
  /// Its id.
  public var id: SessionID
  /// The tree it looks at.
  public var tree: TreeNumber
  /// Whether that tree is its own.
  public var isPrivate: Bool
  /// How long it may lie idle, in seconds; 0 for ever.
  public var idleTimeoutSeconds: Int
  /// When it was last used, about, in seconds since 1970.
  public var lastUse: Int
  /// Whether it has expired, and is only remembered.
  public var isExpired = false
  /// The changes that clients of it may make.
  public var access = SessionAccess.write
  /// The digest of what opens it, if anything does but a key.
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

  /// When its time is over, in seconds since 1970, if it ever is.
  public var end: Int { lastUse + idleTimeoutSeconds }

  /// How long is remembered that one expired, in seconds.
  public static let rememberedSeconds = 86_400
}

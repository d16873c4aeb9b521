/// How much the sessions may hold.
public struct SessionLimits: Equatable, Sendable {
  /// Sessions alive at once.
  public var maxSessions = 10_000
  /// Nodes of one tree.
  public var maxNodesPerTree = 10_000_000
  /// Bytes of keys and objects over all trees.
  public var maxTotalBytes = 4 << 30
  /// The deepest depth of a node; a root has 0.
  public var maxDepth = 100_000
  /// Entries of a change list before it falls back to ranges.
  public var maxChanges = 10_000
  /// How deep an object may be nested, which a merge patch could make it.
  public var maxJSONDepth = 512
  /// How long an object may be, in bytes, which a merge patch could make it.
  public var maxObjectBytes = 1_048_576

  /// The defaults.
  public init() {}
}

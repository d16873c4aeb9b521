public import TreeEngine

/// A session to create, with the initial content of its tree.
public struct NewSession: Equatable, Sendable {
  /// The bytes that all slices refer to.
  public var bytes: [UInt8]
  /// The shared tree to show; `nil` for a private tree.
  public var tree: TreeID?
  /// The options of the session, merged with those of ``state``.
  public var options: SessionOptions
  /// The nodes to expand at once, with all their ancestors.
  public var expandedKeys: [ByteSlice]
  /// The names of the sections in order.
  ///
  /// Empty for a tree without sections.
  public var sections: [ByteSlice]
  /// The nodes of the tree in pre-order.
  ///
  /// Roots have depth 0.
  public var nodes: [NewNode]
  /// The sections of roots, by their positions in ``nodes``.
  public var rootSections: [Int: ByteSlice]
  /// The size of the body, which is the start of ``bytes``; `nil` if there was none.
  public var bodyCount: Int?
  /// The state of another session to start with.
  ///
  /// Its slices refer to the same ``bytes``.
  public var state: SessionState?
  /// The secret that opens the session to callers without full access.
  ///
  /// It is not part of the body.
  public var secret: SealedSecret?

  /// Makes a session without nodes.
  public init(
    bytes: [UInt8] = [],
    tree: TreeID? = nil,
    options: SessionOptions = SessionOptions(),
    expandedKeys: [ByteSlice] = [],
    nodes: [NewNode] = []
  ) {
    self.bytes = bytes
    self.tree = tree
    self.options = options
    self.expandedKeys = expandedKeys
    self.nodes = nodes
    sections = []
    rootSections = [:]
  }

  /// The bytes of a slice.
  public subscript(_ slice: ByteSlice) -> ArraySlice<UInt8> { bytes[slice.range] }
}

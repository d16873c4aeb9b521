public import TreeEngine

/// A session to be made, with what its tree holds at first.
public struct NewSession: Equatable, Sendable {
  /// What all slices point into.
  public var bytes: [UInt8]
  /// The shared tree to look at; `nil` for one of its own.
  public var tree: TreeID?
  /// How the session shows its tree; what ``state`` says of that is in here already.
  public var options: SessionOptions
  /// Nodes to be expanded at once, with all their ancestors.
  public var expandedKeys: [ByteSlice]
  /// The names of the sections, in order; none for a tree without.
  public var sections: [ByteSlice]
  /// The nodes of the tree, in pre-order; roots have depth 0.
  public var nodes: [NewNode]
  /// The sections that roots name, by their positions in ``nodes``.
  public var rootSections: [Int: ByteSlice]
  /// How many of the first ``bytes`` are the body it was read from; `nil` where there was none.
  public var bodyCount: Int?
  /// What another session showed, for this one to show; its slices are of the same ``bytes``.
  public var state: SessionState?
  /// What is to open the session to others than those who may do everything; not of the body.
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

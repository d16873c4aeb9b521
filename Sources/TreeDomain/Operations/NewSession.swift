public import TreeEngine

/// A session to be made, with what its tree holds at first.
public struct NewSession: Equatable, Sendable {
  /// What all slices point into.
  public var bytes: [UInt8]
  /// How the session shows its tree.
  public var options: SessionOptions
  /// Nodes to be expanded at once, with all their ancestors.
  public var expandedKeys: [ByteSlice]
  /// The nodes of the tree, in pre-order; roots have depth 0.
  public var nodes: [NewNode]

  /// Makes a session without nodes.
  public init(
    bytes: [UInt8] = [],
    options: SessionOptions = SessionOptions(),
    expandedKeys: [ByteSlice] = [],
    nodes: [NewNode] = []
  ) {
    self.bytes = bytes
    self.options = options
    self.expandedKeys = expandedKeys
    self.nodes = nodes
  }

  /// The bytes of a slice.
  public subscript(_ slice: ByteSlice) -> ArraySlice<UInt8> { bytes[slice.range] }
}

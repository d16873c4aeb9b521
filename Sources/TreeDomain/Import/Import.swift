public import TreeEngine

/// Nodes to be brought into a tree, in the order of their lines.
public struct Import: Equatable, Sendable {
  /// One line.
  public struct ImportedNode: Equatable, Sendable {
    /// The key's bytes.
    public var key: ByteSlice
    /// The parent's key, which is in the tree or on an earlier line; `nil` for a root.
    public var parent: ByteSlice?
    /// The object, raw JSON; empty for `null`.
    public var object: ByteSlice
    /// What is known about its children before any other line names it as parent.
    public var childState: ChildState
    /// How many children an unloaded node is said to have.
    public var hint: Int32?
    /// The section of a root, if one is named.
    public var section: ByteSlice?
    /// The line it stands on, counted from 1.
    public var line: Int

    /// Makes a node.
    public init(
      key: ByteSlice,
      parent: ByteSlice? = nil,
      object: ByteSlice,
      childState: ChildState = .leaf,
      hint: Int32? = nil,
      section: ByteSlice? = nil,
      line: Int
    ) {
      self.key = key
      self.parent = parent
      self.object = object
      self.childState = childState
      self.hint = hint
      self.section = section
      self.line = line
    }
  }

  /// What all slices point into.
  public var bytes: [UInt8]
  /// The nodes.
  public var nodes: [ImportedNode]

  /// Makes an import.
  public init(bytes: [UInt8] = [], nodes: [ImportedNode] = []) {
    self.bytes = bytes
    self.nodes = nodes
  }

  /// The bytes of a slice.
  public subscript(_ slice: ByteSlice) -> ArraySlice<UInt8> { bytes[slice.range] }
}

package import TreeEngine

/// A session to create, with the initial content of its tree.
package struct NewSession: Equatable, Sendable {
  /// The bytes that all slices refer to.
  package var bytes: [UInt8]
  /// The shared tree to show; `nil` for a private tree.
  package var tree: TreeID?
  /// The options of the session, merged with those of ``state``.
  package var options: SessionOptions
  /// The nodes to expand at once, with all their ancestors.
  package var expandedKeys: [ByteSlice]
  /// The names of the sections in order.
  ///
  /// Empty for a tree without sections.
  package var sections: [ByteSlice]
  /// The nodes of the tree in pre-order.
  ///
  /// Roots have depth 0.
  package var nodes: [NewNode]
  /// The sections of roots, by their positions in ``nodes``.
  package var rootSections: [Int: ByteSlice]
  /// The size of the body, which is the start of ``bytes``; `nil` if there was none.
  package var bodyCount: Int?
  /// The state of another session to start with.
  ///
  /// Its slices refer to the same ``bytes``.
  package var state: SessionState?
  /// The secret that opens the session to callers without full access.
  ///
  /// It is not part of the body.
  package var secret: SealedSecret?

  /// Makes a session without nodes.
  package init(
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
  package subscript(_ slice: ByteSlice) -> ArraySlice<UInt8> { bytes[slice.range] }
}

/// A shared tree to create, with its initial content.
package struct NewTree: Equatable, Sendable {
  /// The bytes that all slices refer to.
  package var bytes: [UInt8]
  /// The id of the tree; `nil` for a generated id.
  package var tree: TreeID?
  /// The order of siblings.
  ///
  /// Empty for the order of arrival.
  package var sort: SortOrder
  /// The names of the sections in order.
  ///
  /// Empty for a tree without sections.
  package var sections: [ByteSlice]
  /// The nodes in pre-order.
  ///
  /// Roots have depth 0.
  package var nodes: [NewNode]
  /// The sections of roots, by their positions in ``nodes``.
  package var rootSections: [Int: ByteSlice]
  /// The size of the body, which is the start of ``bytes``; `nil` if there was none.
  package var bodyCount: Int?

  /// Makes a tree without nodes.
  package init(tree: TreeID? = nil) {
    self.tree = tree
    bytes = []
    sort = SortOrder([])
    sections = []
    nodes = []
    rootSections = [:]
  }

  /// The bytes of a slice.
  package subscript(_ slice: ByteSlice) -> ArraySlice<UInt8> { bytes[slice.range] }
}

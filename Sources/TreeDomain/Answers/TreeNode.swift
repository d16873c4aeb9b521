import JSON
public import TreeEngine

/// A node as it is in its tree, without a view; its slices are in the arena of its answer.
public struct TreeNode: Equatable, Sendable {
  /// The key's bytes.
  public var key: ByteSlice
  /// The parent's key; `nil` at a root.
  public var parent: ByteSlice?
  /// 0 at a root.
  public var depth: Int
  /// The name of the section; `nil` in a tree without sections.
  public var section: ByteSlice?
  /// The position among the parent's children, or among the section's roots.
  public var position: Int
  /// How many siblings there are, this node included.
  public var siblingCount: Int
  /// What is known about the children.
  public var childState: ChildState
  /// How many children there are; `nil` while that is not known.
  public var childCount: Int?
  /// The object, raw JSON.
  public var object: ByteSlice

  /// Makes a node.
  public init(
    key: ByteSlice,
    parent: ByteSlice?,
    depth: Int,
    section: ByteSlice? = nil,
    position: Int,
    siblingCount: Int,
    childState: ChildState,
    childCount: Int?,
    object: ByteSlice
  ) {
    self.key = key
    self.parent = parent
    self.depth = depth
    self.section = section
    self.position = position
    self.siblingCount = siblingCount
    self.childState = childState
    self.childCount = childCount
    self.object = object
  }

  /// Writes the node as an object.
  ///
  /// - Parameters:
  ///   - writer: Where it goes.
  ///   - arena: What the slices point into.
  ///   - fields: The members to write, as far as a node without a view has them.
  func write(to writer: inout JSONWriter, from arena: [UInt8], _ fields: RowFields) {
    let row = Row(
      index: nil,
      depth: depth,
      position: position,
      siblingCount: siblingCount,
      isExpanded: false,
      childState: childState,
      childCount: childCount,
      visibleDescendantCount: 0
    )
    let bytes = arena.span
    let above: Span<UInt8>? = if let parent { bytes.extracting(parent.range) } else { nil }
    var fields = fields.intersection(TreeNode.fields)
    if section == nil { fields.remove(.section) }
    row.write(
      to: &writer,
      key: bytes.extracting(key.range),
      parent: above,
      section: bytes.extracting(section?.range ?? 0..<0),
      object: bytes.extracting(object.range),
      fields
    )
  }

  /// The members of rows that do not depend on a view.
  private static let fields: RowFields = [
    .key, .parent, .depth, .section, .position, .siblingCount, .childState, .childCount, .object,
  ]
}

import JSON
package import TreeEngine

/// A node of a tree, independent of views.
///
/// Its slices refer to the arena of its answer.
package struct TreeNode: Equatable, Sendable {
  /// The key's bytes.
  package var key: ByteSlice
  /// The parent's key; `nil` at a root.
  package var parent: ByteSlice?
  /// The depth.
  ///
  /// A root has 0.
  package var depth: Int
  /// The name of the section; `nil` in a tree without sections.
  package var section: ByteSlice?
  /// The position among the parent's children, or among the section's roots.
  package var position: Int
  /// The number of siblings, with this node.
  package var siblingCount: Int
  /// The state of the children.
  package var childState: ChildState
  /// The number of children; `nil` if unknown.
  package var childCount: Int?
  /// The object, raw JSON.
  package var object: ByteSlice

  /// Makes a node.
  package init(
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
  ///   - writer: The output.
  ///   - arena: The bytes that the slices refer to.
  ///   - fields: The members to write. Members that depend on a view are left out.
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

  /// The members of rows that are independent of views.
  private static let fields: RowFields = [
    .key, .parent, .depth, .section, .position, .siblingCount, .childState, .childCount, .object,
  ]
}

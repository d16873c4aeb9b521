public import JSON
public import TreeEngine

/// A node as a session sees it; its slices are in the arena of the answer that holds it.
public struct Row: Equatable, Sendable {
  /// The position among the visible rows; `nil` while hidden.
  public var index: Int?
  /// The key's bytes.
  public var key: ByteSlice
  /// The parent's key; `nil` at a root.
  public var parent: ByteSlice?
  /// 0 at a root.
  public var depth: Int
  /// The name of the section; `nil` in a tree without sections.
  public var section: ByteSlice?
  /// The position among the visible rows of the section; `nil` while hidden, or without sections.
  public var sectionRow: Int?
  /// The position among the parent's children, or among the section's roots.
  public var position: Int
  /// How many siblings there are, this node included.
  public var siblingCount: Int
  /// Whether the children are shown when the node itself is.
  public var isExpanded: Bool
  /// What is known about the children.
  public var childState: ChildState
  /// How many children there are; `nil` while that is not known.
  public var childCount: Int?
  /// How many rows come with the node's expansion; 0 while it is collapsed.
  public var visibleDescendantCount: Int
  /// Whether the node is selected.
  public var isSelected: Bool
  /// Whether the filter matches the node; `nil` while there is none.
  public var isMatched: Bool?
  /// The object, raw JSON.
  public var object: ByteSlice

  /// Makes a row that is in no section, not selected, under no filter; those can be set afterwards.
  public init(
    index: Int?,
    key: ByteSlice,
    parent: ByteSlice?,
    depth: Int,
    position: Int,
    siblingCount: Int,
    isExpanded: Bool,
    childState: ChildState,
    childCount: Int?,
    visibleDescendantCount: Int,
    object: ByteSlice
  ) {
    self.index = index
    self.key = key
    self.parent = parent
    self.depth = depth
    self.position = position
    self.siblingCount = siblingCount
    self.isExpanded = isExpanded
    self.childState = childState
    self.childCount = childCount
    self.visibleDescendantCount = visibleDescendantCount
    self.object = object
    isSelected = false
  }

  /// About how many bytes a row takes as JSON beside its strings.
  static let usualBytes = 224

  /// Writes the row as an object.
  ///
  /// - Parameters:
  ///   - writer: Where it goes.
  ///   - arena: What the slices point into.
  ///   - fields: The members to write.
  public func write(to writer: inout JSONWriter, from arena: [UInt8], _ fields: RowFields) {
    writer.beginObject()
    writeMembers(to: &writer, from: arena, fields)
    writer.endObject()
  }

  /// Writes the row's members into an open object; see ``write(to:from:_:)``.
  public func writeMembers(
    to writer: inout JSONWriter,
    from arena: [UInt8],
    _ fields: RowFields
  ) {
    writePlace(to: &writer, from: arena, fields)
    writeSection(to: &writer, from: arena, fields)
    writeSiblings(to: &writer, fields)
    writeState(to: &writer, fields)
    writeMarks(to: &writer, fields)
    if fields.contains(.object) {
      writer.name("object")
      writer.raw(arena[object.range])
    }
  }

  private func writePlace(to writer: inout JSONWriter, from arena: [UInt8], _ fields: RowFields) {
    if fields.contains(.index) {
      writer.name("index")
      writer.integer(orNull: index)
    }
    if fields.contains(.key) {
      writer.name("key")
      writer.string(arena[key.range])
    }
    if fields.contains(.parent) {
      writer.name("parent")
      writer.string(orNull: parent, from: arena)
    }
    if fields.contains(.depth) {
      writer.name("depth")
      writer.integer(depth)
    }
  }

  private func writeSection(
    to writer: inout JSONWriter,
    from arena: [UInt8],
    _ fields: RowFields
  ) {
    guard let section else { return }
    if fields.contains(.section) {
      writer.name("section")
      writer.string(arena[section.range])
    }
    if fields.contains(.sectionRow) {
      writer.name("sectionRow")
      writer.integer(orNull: sectionRow)
    }
  }

  private func writeSiblings(to writer: inout JSONWriter, _ fields: RowFields) {
    if fields.contains(.position) {
      writer.name("position")
      writer.integer(position)
    }
    if fields.contains(.siblingCount) {
      writer.name("siblingCount")
      writer.integer(siblingCount)
    }
  }

  private func writeState(to writer: inout JSONWriter, _ fields: RowFields) {
    if fields.contains(.expanded) {
      writer.name("expanded")
      writer.boolean(isExpanded)
    }
    if fields.contains(.childState) {
      writer.name("childState")
      childState.write(to: &writer)
    }
    if fields.contains(.childCount) {
      writer.name("childCount")
      writer.integer(orNull: childCount)
    }
    if fields.contains(.visibleDescendantCount) {
      writer.name("visibleDescendantCount")
      writer.integer(visibleDescendantCount)
    }
  }

  private func writeMarks(to writer: inout JSONWriter, _ fields: RowFields) {
    if fields.contains(.selected) {
      writer.name("selected")
      writer.boolean(isSelected)
    }
    if let isMatched, fields.contains(.matched) {
      writer.name("matched")
      writer.boolean(isMatched)
    }
  }
}

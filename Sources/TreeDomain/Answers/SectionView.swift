import JSON

/// A section as a session sees it; its slice is in the arena of its list.
public struct SectionView: Equatable, Sendable {
  /// The name.
  public var section: ByteSlice
  /// The place among the sections.
  public var index: Int
  /// How many visible rows it has.
  public var rowCount: Int
  /// The index of its first row among all rows.
  public var offset: Int
  /// How many roots it has.
  public var rootCount: Int
  /// Whether its roots are shown.
  public var isExpanded: Bool

  /// Makes a view of a section.
  public init(
    section: ByteSlice,
    index: Int,
    rowCount: Int,
    offset: Int,
    rootCount: Int,
    isExpanded: Bool
  ) {
    self.section = section
    self.index = index
    self.rowCount = rowCount
    self.offset = offset
    self.rootCount = rootCount
    self.isExpanded = isExpanded
  }

  /// Writes the section as an object.
  func write(to writer: inout JSONWriter, from arena: [UInt8]) {
    writer.beginObject()
    writer.name("section")
    writer.string(arena[section.range])
    writer.name("index")
    writer.integer(index)
    writer.name("rowCount")
    writer.integer(rowCount)
    writer.name("offset")
    writer.integer(offset)
    writer.name("rootCount")
    writer.integer(rootCount)
    writer.name("expanded")
    writer.boolean(isExpanded)
    writer.endObject()
  }
}

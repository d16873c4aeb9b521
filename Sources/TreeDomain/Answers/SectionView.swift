import JSON

/// A section as a session sees it.
///
/// Its slice refers to the arena of its list.
public struct SectionView: Equatable, Sendable {
  /// The name.
  public var section: ByteSlice
  /// The index among the sections.
  public var index: Int
  /// The number of its visible rows.
  public var rowCount: Int
  /// The index of its first row among all rows.
  public var offset: Int
  /// The number of its roots.
  public var rootCount: Int
  /// True if its roots are shown.
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

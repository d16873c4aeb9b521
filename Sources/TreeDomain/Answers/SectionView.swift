package import JSON

/// A section as a session sees it.
///
/// Its slice refers to the arena of its list.
package struct SectionView: Equatable, Sendable {
  /// The name.
  package var section: ByteSlice
  /// The index among the sections.
  package var index: Int
  /// The number of its visible rows.
  package var rowCount: Int
  /// The index of its first row among all rows.
  package var offset: Int
  /// The number of its roots.
  package var rootCount: Int
  /// True if its roots are shown.
  package var isExpanded: Bool

  /// Makes a view of a section.
  package init(
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

/// The sections of a session's tree, read at one revision.
package struct SectionList: Equatable, Sendable {
  /// The session's revision.
  package var revision: Revision
  /// The sections in order.
  ///
  /// Empty for a tree without sections.
  package var sections: [SectionView]
  /// The bytes that the slices refer to.
  package var arena: [UInt8]

  /// Makes a list.
  package init(revision: Revision, sections: [SectionView], arena: [UInt8]) {
    self.revision = revision
    self.sections = sections
    self.arena = arena
  }

  /// Writes the list as an array.
  package func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for section in sections { section.write(to: &writer, from: arena) }
    writer.endArray()
  }
}

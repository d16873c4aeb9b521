package import JSON

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

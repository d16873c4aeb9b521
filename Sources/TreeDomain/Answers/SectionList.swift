public import JSON

/// The sections of a session's tree, read at one revision.
public struct SectionList: Equatable, Sendable {
  /// The session's revision.
  public var revision: Revision
  /// The sections in order.
  ///
  /// Empty for a tree without sections.
  public var sections: [SectionView]
  /// The bytes that the slices refer to.
  public var arena: [UInt8]

  /// Makes a list.
  public init(revision: Revision, sections: [SectionView], arena: [UInt8]) {
    self.revision = revision
    self.sections = sections
    self.arena = arena
  }

  /// Writes the list as an array.
  public func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for section in sections { section.write(to: &writer, from: arena) }
    writer.endArray()
  }
}

public import JSON

/// The ancestors of a node, from the root to its parent, read at one revision.
public struct Ancestors: Equatable, Sendable {
  /// The session it was read from.
  public var session: SessionID
  /// The session's revision.
  public var revision: Revision
  /// The nodes as a JSON array of objects, the parent last.
  ///
  /// The first is the root, unless there are too many. Empty for a root.
  public var ancestors: [UInt8]

  /// Makes an answer.
  public init(session: SessionID, revision: Revision, ancestors: [UInt8]) {
    self.session = session
    self.revision = revision
    self.ancestors = ancestors
  }

  /// Writes the answer as an object.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.origin(session, revision)
    writer.name("ancestors")
    writer.raw(ancestors[...])
    writer.endObject()
  }
}

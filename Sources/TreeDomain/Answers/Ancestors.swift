public import JSON

/// The way from the root down to a node's parent, read at one revision.
public struct Ancestors: Equatable, Sendable {
  /// The session it was read from.
  public var session: SessionID
  /// The session's revision.
  public var revision: Revision
  /// The nodes, the root first; none at a root.
  public var ancestors: [Ancestor]
  /// What the slices point into.
  public var arena: [UInt8]

  /// Makes a way.
  public init(session: SessionID, revision: Revision, ancestors: [Ancestor], arena: [UInt8]) {
    self.session = session
    self.revision = revision
    self.ancestors = ancestors
    self.arena = arena
  }

  /// Writes the way as an object.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.origin(session, revision)
    writer.name("ancestors")
    Ancestor.write(ancestors, to: &writer, from: arena)
    writer.endObject()
  }
}

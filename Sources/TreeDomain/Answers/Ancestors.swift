public import JSON

/// The way from the root down to a node's parent, read at one revision.
public struct Ancestors: Equatable, Sendable {
  /// The session it was read from.
  public var session: SessionID
  /// The session's revision.
  public var revision: Revision
  /// The nodes as an array of objects, the root first; none at a root.
  public var ancestors: [UInt8]

  /// Makes a way.
  public init(session: SessionID, revision: Revision, ancestors: [UInt8]) {
    self.session = session
    self.revision = revision
    self.ancestors = ancestors
  }

  /// Writes the way as an object.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.origin(session, revision)
    writer.name("ancestors")
    writer.raw(ancestors[...])
    writer.endObject()
  }
}

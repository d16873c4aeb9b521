import TreeDomain
import TreeEngine

extension Creation: Replayable {
  func write(to writer: inout ByteWriter) {
    switch self {
    case .session(let description):
      writer.append(description.secret == nil ? CreationKind.session : .sessionWithSecret)
      description.write(to: &writer)
      for byte in description.secret?.bytes ?? [] { writer.append(byte) }
    case .tree(let description):
      writer.append(CreationKind.tree)
      description.write(to: &writer)
    }
  }

  init(reading reader: inout ByteReader) throws(ImageError) {
    guard let kind = CreationKind(rawValue: try reader.byte()) else { throw .damaged }
    if kind == .tree {
      self = .tree(try TreeDescription(reading: &reader))
      return
    }
    var description = try SessionDescription(reading: &reader)
    if kind == .sessionWithSecret {
      var bytes: [UInt8] = []
      while bytes.count < SessionSecret.byteCount { bytes.append(try reader.byte()) }
      description.secret = SessionSecret(bytes: bytes)
    }
    self = .session(description)
  }
}

/// What was made, in a byte.
private enum CreationKind: UInt8 {
  case session, tree, sessionWithSecret
}

extension ByteWriter {
  fileprivate mutating func append(_ kind: CreationKind) { append(kind.rawValue) }
}

extension SessionDescription {
  func write(to writer: inout ByteWriter) {
    writer.append(string: session.bytes[...])
    writer.append(string: tree.bytes[...])
    writer.append(revision)
    writer.append(treeRevision)
    writer.append(count: rowCount)
    writer.append(count: nodeCount)
    writer.append(count: selectedCount)
    writer.append(sections, of: arena)
    writer.append(options)
  }

  init(reading reader: inout ByteReader) throws(ImageError) {
    self.init(
      session: try reader.sessionID(),
      tree: try reader.treeID(),
      revision: try reader.revision(),
      treeRevision: try reader.revision(),
      rowCount: try reader.count(),
      nodeCount: try reader.count(),
      selectedCount: try reader.count(),
      options: SessionOptions()
    )
    sections = try reader.strings(into: &arena)
    options = try reader.sessionOptions()
  }
}

extension TreeDescription {
  func write(to writer: inout ByteWriter) {
    writer.append(string: tree.bytes[...])
    writer.append(revision)
    writer.append(count: nodeCount)
    writer.append(sections, of: arena)
    writer.append(sort)
  }

  init(reading reader: inout ByteReader) throws(ImageError) {
    self.init(
      tree: try reader.treeID(),
      revision: try reader.revision(),
      nodeCount: try reader.count()
    )
    sections = try reader.strings(into: &arena)
    sort = try reader.sortOrder()
  }
}

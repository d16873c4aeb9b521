import TreeDomain
import TreeEngine

extension Creation: Replayable {
  func write(to writer: inout ByteWriter) {
    switch self {
    case .session(let description):
      writer.append(false)
      description.write(to: &writer)
    case .tree(let description):
      writer.append(true)
      description.write(to: &writer)
    }
  }

  init(reading reader: inout ByteReader) throws(ImageError) {
    self =
      try reader.bool()
      ? .tree(TreeDescription(reading: &reader))
      : .session(SessionDescription(reading: &reader))
  }
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

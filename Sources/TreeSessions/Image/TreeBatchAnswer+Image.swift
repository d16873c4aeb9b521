import TreeDomain
import TreeEngine

extension TreeBatchAnswer: Replayable {
  func write(to writer: inout ByteWriter) {
    writer.append(string: tree.bytes[...])
    writer.append(previousRevision)
    writer.append(revision)
    writer.append(count: nodeCount)
    writer.append(count: applied)
  }

  init(reading reader: inout ByteReader) throws(ImageError) {
    self.init(
      tree: try reader.treeID(),
      previousRevision: try reader.revision(),
      revision: try reader.revision(),
      nodeCount: try reader.count(),
      applied: try reader.count()
    )
  }
}

// Rows of a delta, stored as differences to the row before, which are small.
extension ByteWriter {
  mutating func append<Width: NodeWidth>(_ listed: [RowDelta<Width>.Listed]) {
    append(count: listed.count)
    var last = RowDelta<Width>.Listed.first
    for row in listed {
      append(signed: row.node.offset - last.node.offset)
      append(signed: row.parent.offset - last.parent.offset)
      append(signed: Int(row.depth) - Int(last.depth))
      last = row
    }
  }
}

extension ByteReader {
  /// Reads rows, and checks that the ids of their nodes and parents are below `nodeIDs`.
  mutating func listed<Width: NodeWidth>(
    of nodeIDs: Int
  ) throws(ImageError) -> [RowDelta<Width>.Listed] {
    var listed: [RowDelta<Width>.Listed] = []
    var last = RowDelta<Width>.Listed.first
    for _ in 0..<(try count(upTo: remaining)) {
      last.node = NodeID(try number(near: last.node.index))
      last.parent = NodeID(try number(near: last.parent.index))
      last.depth = try number(near: last.depth)
      let isNode = (1..<nodeIDs).contains(last.node.offset)
      guard isNode, (0..<nodeIDs).contains(last.parent.offset) else { throw .damaged }
      listed.append(last)
    }
    return listed
  }
}

extension RowDelta.Listed {
  /// The row to which the first row of a list is compared.
  fileprivate static var first: Self { Self(node: .forestRoot, parent: .forestRoot, depth: 0) }
}

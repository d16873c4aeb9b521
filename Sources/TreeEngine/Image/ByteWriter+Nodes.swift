extension ByteWriter {
  mutating func append(_ node: NodeID) { append(count: node.offset) }

  /// Appends a set of nodes as a count and the differences of sorted ids.
  ///
  /// - Complexity: O(*k* log *k*) for *k* nodes.
  mutating func append(set nodes: some Collection<NodeID>) {
    append(count: nodes.count)
    var last = 0
    for index in nodes.map(\.offset).sorted() {
      append(count: index - last)
      last = index
    }
  }

  mutating func append(_ rule: ExpansionRule) {
    switch rule {
    case .all: append(false)
    case .levels(let levels):
      append(true)
      append(signed: levels)
    }
  }
}

extension ByteReader {
  /// Reads a node, and checks that its id is below `count`.
  mutating func node(of count: Int) throws(ImageError) -> NodeID {
    NodeID(Int32(try self.count(upTo: count - 1)))
  }

  /// Reads a set of nodes with ids below `count`, sorted by id.
  mutating func nodes(of count: Int) throws(ImageError) -> [NodeID] {
    var nodes: [NodeID] = []
    var last = 0
    for number in 0..<(try self.count(upTo: count)) {
      let distance = try self.count(upTo: count - 1 - last)
      guard number == 0 || distance > 0 else { throw .damaged }
      last += distance
      nodes.append(NodeID(Int32(last)))
    }
    return nodes
  }

  mutating func rule() throws(ImageError) -> ExpansionRule {
    try bool() ? .levels(try signed()) : .all
  }

  /// Reads a count of rows.
  mutating func rows(upTo limit: Int32 = .max) throws(ImageError) -> Int32 {
    Int32(try count(upTo: Int(limit)))
  }

  /// Reads a number stored as the difference to another.
  mutating func number(near other: Int32) throws(ImageError) -> Int32 {
    let (sum, isBeyond) = try signed().addingReportingOverflow(Int(other))
    guard !isBeyond, let number = Int32(exactly: sum) else { throw .damaged }
    return number
  }
}

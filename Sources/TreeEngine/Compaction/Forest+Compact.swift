extension Forest {
  /// What a node takes besides its key and its object, about.
  private static var nodeBytes: Int { 48 }
  /// Less than so much is not worth the work.
  private static var leastBytes: Int { 1 << 16 }

  /// Whether more than half of what is held is in no use.
  var wantsCompaction: Bool {
    let unused = freeNodes.count * Self.nodeBytes + keyArena.garbage + objectArena.garbage
    guard unused > Self.leastBytes else { return false }
    return unused * 2 > records.count * Self.nodeBytes + keyArena.count
      + objectArena.count
  }

  /// Numbers the nodes as they stand in pre-order, and holds nothing but them.
  ///
  /// - Parameter limbo: nodes that are not in the sequence and keep ids and keys all the same.
  /// - Returns: the new ids.
  /// - Complexity: O(*n* + bytes).
  mutating func compact(keeping limbo: [NodeID]) -> NodeRenumbering {
    var order: [NodeID] = []
    order.reserveCapacity(Int(entryCount) + limbo.count)
    root = sequence.compact(root) { entry in
      order.append(entry.node)
      entry.owner = Int32(order.count - 1)
    }
    order += limbo
    let new = NodeRenumbering(order, of: records.count)
    keyTable.compact(new)
    var kept = ChunkedArray<NodeRecord, Width>()
    for node in order {
      var record = self[node]
      // A removed node may have outlived its parent.
      record.parent = new[record.parent] ?? .forestRoot
      kept.append(record)
    }
    records = kept
    compactArenas()
    hints = new.of(hints)
    freeNodes = ChunkedArray()
    return new
  }

  /// Copies keys, then objects to where there is nothing but them, in the order of the nodes.
  private mutating func compactArenas() {
    var kept = keyArena.makeSuccessor()
    for index in records.indices {
      records[index].key = kept.append(records[index].key, of: keyArena)
    }
    keyArena = kept
    kept = objectArena.makeSuccessor()
    for index in records.indices {
      records[index].object = kept.append(records[index].object, of: objectArena)
    }
    objectArena = kept
  }
}

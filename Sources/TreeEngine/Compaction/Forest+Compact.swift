extension Forest {
  /// The approximate size of a node without its key and object, in bytes.
  private static var nodeBytes: Int { 48 }
  /// The least unused memory, in bytes, for which a compaction is worthwhile.
  private static var leastBytes: Int { 1 << 16 }

  /// True if more than half of the memory is unused.
  var wantsCompaction: Bool {
    let unused = freeNodes.count * Self.nodeBytes + keyArena.garbage + objectArena.garbage
    guard unused > Self.leastBytes else { return false }
    return unused * 2 > records.count * Self.nodeBytes + keyArena.count
      + objectArena.count
  }

  /// Renumbers the nodes in pre-order and releases all unused memory.
  ///
  /// - Parameters:
  ///   - limbo: Nodes that are not in the sequence but keep an id and a key.
  ///   - pass: Counts the steps.
  /// - Returns: The new ids.
  /// - Complexity: O(*n* + bytes of keys and objects).
  mutating func compact(
    keeping limbo: [NodeID],
    passing pass: (Int) -> Void
  ) -> NodeRenumbering {
    var order: [NodeID] = []
    order.reserveCapacity(Int(entryCount) + limbo.count)
    root = sequence.compact(root) { entry in
      order.append(entry.node)
      if order.count % Self.nodesPerPass == 0 { pass(Self.nodesPerPass) }
      entry.owner = Int32(order.count - 1)
    }
    order += limbo
    let new = NodeRenumbering(order, of: records.count)
    pass(order.count)
    keyTable.compact(new)
    var kept = ChunkedArray<NodeRecord, Width>()
    for (place, node) in order.enumerated() {
      if place % Self.nodesPerPass == 0 { pass(Self.nodesPerPass) }
      var record = self[node]
      // The parent of a removed node may no longer exist.
      record.parent = new[record.parent] ?? .forestRoot
      kept.append(record)
    }
    records = kept
    compactArenas(passing: pass)
    hints = new.of(hints)
    freeNodes = ChunkedArray()
    return new
  }

  /// The number of bytes that are copied in the time of a step.
  private static var bytesPerPass: Int { 64 }

  /// Copies first the keys, then the objects to new arenas, in the order of the nodes.
  private mutating func compactArenas(passing pass: (Int) -> Void) {
    var kept = keyArena.makeSuccessor()
    for index in records.indices {
      pass(1 + records[index].key.count / Self.bytesPerPass)
      records[index].key = kept.append(records[index].key, of: keyArena)
    }
    keyArena = kept
    kept = objectArena.makeSuccessor()
    for index in records.indices {
      pass(1 + records[index].object.count / Self.bytesPerPass)
      records[index].object = kept.append(records[index].object, of: objectArena)
    }
    objectArena = kept
  }
}

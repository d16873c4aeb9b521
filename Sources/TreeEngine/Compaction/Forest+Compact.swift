extension Forest {
  /// What a node takes besides its key and its object, about.
  private static var nodeBytes: Int { 48 }
  /// Less than so much is not worth the work.
  private static var leastBytes: Int { 1 << 16 }

  /// Whether more than half of what is held is in no use.
  var wantsCompaction: Bool {
    let unused = freeNodes.count * Self.nodeBytes + keyArena.garbage + objectArena.garbage
    guard unused > Self.leastBytes else { return false }
    return unused * 2 > parents.count * Self.nodeBytes + keyArena.bytes.count
      + objectArena.bytes.count
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
    let new = NodeRenumbering(order, of: parents.count)
    keyTable.compact(new)
    // A removed node may have outlived its parent.
    parents = order.map { new[parents[$0.offset]] ?? .forestRoot }
    childCounts = order.map { childCounts[$0.offset] }
    childStates = order.map { childStates[$0.offset] }
    keys = order.map { keys[$0.offset] }
    keyArena.compact(&keys)
    objects = order.map { objects[$0.offset] }
    objectArena.compact(&objects)
    hints = new.of(hints)
    freeNodes = []
    return new
  }
}

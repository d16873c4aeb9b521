extension Forest {
  /// Recomputes everything that the forest stores and compares it.
  ///
  /// For tests.
  ///
  /// - Complexity: O(*n* log *n*).
  func checkInvariants() {
    sequence.checkInvariants(of: root)
    precondition(sequence.summary(of: root).count == entryCount, "the entry count is wrong")
    precondition(keyTable.count == nodeCount, "entries and keys differ")
    var counts = [Int32](repeating: 0, count: records.count)
    var path: [NodeID] = []
    var next: Place? = place(at: 0)
    var position: Int32 = 0
    while let place = next {
      let node = node(at: place)
      precondition(place.position == position && place.depth <= Int32(path.count), "a gap in depth")
      path.removeLast(path.count - Int(place.depth))
      if let parent = path.last {
        precondition(self[node].parent == parent, "a parent is wrong")
        precondition(self[parent].childState != .leaf, "a leaf is a parent")
        precondition(self.node(forKey: key(of: node).span) == node, "a key is lost")
        counts[parent.offset] += 1
      }
      path.append(node)
      position += 1
      next = self.next(place)
    }
    precondition(position == entryCount, "entries are lost")
    hints.forEach { node, _ in
      let state = self[node].childState
      precondition(state != .leaf && state != .loaded, "a hint where children are known")
    }
    for node in counts.indices where isAttached(NodeID(Int32(node))) {
      precondition(counts[node] == records[node].childCount, "a child count is wrong")
    }
  }
}

extension RangeMinTree {
  /// Walks forward from a slot to the first item that `stops` accepts, and skips whole subtrees.
  ///
  /// `stops` is called with the summaries of consecutive runs. It returns true if the run contains
  /// the target, and is then called with parts of that run. Otherwise it adds the run to its own
  /// state and returns false. A single item for which it returns true is the target.
  ///
  /// - Returns: The leaf and slot of the target, or nil if there is none up to the end.
  /// - Complexity: O(fan-out · log *n*).
  func scanForward(
    leaf: Int32,
    slot: Int,
    _ stops: (Summary) -> Bool
  ) -> (leaf: Int32, slot: Int)? {
    let entries = entries(of: leaf)
    for slot in slot..<max(slot, entries.count) where stops(entries[slot].summary) {
      return (leaf, slot)
    }
    var height: Int32 = 0
    var up = leaves[Int(leaf)].place
    while up >= 0 {
      let (node, slot) = inner(at: up)
      let first = Int(up) + 1
      let (count, next) = (Int(inners[Int(node)].count), inners[Int(node)].place)
      let behind = summaries.span(first..<(first + count - slot - 1))
      for offset in behind.indices where stops(behind[offset]) {
        return descendForward(children[first + offset], height, stops)
      }
      height += 1
      up = next
    }
    return nil
  }

  private func descendForward(
    _ node: Int32,
    _ height: Int32,
    _ stops: (Summary) -> Bool
  ) -> (leaf: Int32, slot: Int) {
    var node = node
    var height = height
    while height > 0 {
      let row = row(of: node)
      var slot = 0
      while !stops(row[slot]) { slot += 1 }
      node = children[Int(node) * innerFanout + slot]
      height -= 1
    }
    let entries = entries(of: node)
    var slot = 0
    while !stops(entries[slot].summary) { slot += 1 }
    return (node, slot)
  }

  /// Walks backward from just before a slot.
  ///
  /// The mirror image of ``scanForward(leaf:slot:_:)``.
  ///
  /// - Complexity: O(fan-out · log *n*).
  func scanBackward(
    leaf: Int32,
    slot: Int,
    _ stops: (Summary) -> Bool
  ) -> (leaf: Int32, slot: Int)? {
    let first = Int(leaf) * leafStride
    let entries = items.span(first..<(first + slot))
    var rest = slot
    while rest > 0 {
      rest -= 1
      if stops(entries[rest].summary) { return (leaf, rest) }
    }
    var height: Int32 = 0
    var up = leaves[Int(leaf)].place
    while up >= 0 {
      let (node, slot) = inner(at: up)
      let first = Int(up) - slot
      let before = summaries.span(first..<Int(up))
      var rest = slot
      while rest > 0 {
        rest -= 1
        if stops(before[rest]) { return descendBackward(children[first + rest], height, stops) }
      }
      height += 1
      up = inners[Int(node)].place
    }
    return nil
  }

  private func descendBackward(
    _ node: Int32,
    _ height: Int32,
    _ stops: (Summary) -> Bool
  ) -> (leaf: Int32, slot: Int) {
    var node = node
    var height = height
    while height > 0 {
      let row = row(of: node)
      var slot = Int(inners[Int(node)].count) - 1
      while !stops(row[slot]) { slot -= 1 }
      node = children[Int(node) * innerFanout + slot]
      height -= 1
    }
    let entries = entries(of: node)
    var slot = entries.count - 1
    while !stops(entries[slot].summary) { slot -= 1 }
    return (node, slot)
  }
}

extension RangeMinTree {
  /// Walks forward from a place, over whole subtrees where it can, until `stops` says that the
  /// target lies inside what it is shown.
  ///
  /// `stops` sees the summaries of consecutive runs in order. It answers true when the run contains
  /// the target (and is then shown the run's parts), else it takes the run into account and answers
  /// false. A single item answered with true is the target.
  ///
  /// - Returns: the target's place, or nil when the end came first.
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

  /// Walks backward from just before a place; the mirror image of ``scanForward(leaf:slot:_:)``.
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

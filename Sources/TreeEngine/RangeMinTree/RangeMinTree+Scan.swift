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
    let first = Int(leaf) * fanout
    for place in (first + slot)..<(first + max(slot, Int(leafCount[Int(leaf)])))
    where stops(items[place].summary) {
      return (leaf, place - first)
    }
    var height: Int32 = 0
    var up = leafPlace[Int(leaf)]
    while up >= 0 {
      let (node, slot) = inner(at: up)
      let end = Int(up) - slot + Int(innerCount[Int(node)])
      var place = Int(up) + 1
      while place < end {
        if stops(summaries[place]) { return descendForward(children[place], height, stops) }
        place += 1
      }
      height += 1
      up = innerPlace[Int(node)]
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
      var place = Int(node) * innerFanout
      while !stops(summaries[place]) { place += 1 }
      node = children[place]
      height -= 1
    }
    var place = Int(node) * fanout
    while !stops(items[place].summary) { place += 1 }
    return (node, place - Int(node) * fanout)
  }

  /// Walks backward from just before a place; the mirror image of ``scanForward(leaf:slot:_:)``.
  ///
  /// - Complexity: O(fan-out · log *n*).
  func scanBackward(
    leaf: Int32,
    slot: Int,
    _ stops: (Summary) -> Bool
  ) -> (leaf: Int32, slot: Int)? {
    let first = Int(leaf) * fanout
    for place in (first..<(first + slot)).reversed() where stops(items[place].summary) {
      return (leaf, place - first)
    }
    var height: Int32 = 0
    var up = leafPlace[Int(leaf)]
    while up >= 0 {
      let (node, slot) = inner(at: up)
      let first = Int(up) - slot
      var place = Int(up) - 1
      while place >= first {
        if stops(summaries[place]) { return descendBackward(children[place], height, stops) }
        place -= 1
      }
      height += 1
      up = innerPlace[Int(node)]
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
      var place = Int(node) * innerFanout + Int(innerCount[Int(node)]) - 1
      while !stops(summaries[place]) { place -= 1 }
      node = children[place]
      height -= 1
    }
    var place = Int(node) * fanout + Int(leafCount[Int(node)]) - 1
    while !stops(items[place].summary) { place -= 1 }
    return (node, place - Int(node) * fanout)
  }
}

extension RangeMinTree {
  /// Builds the tree of a pool that holds no other anew: its nodes well filled, and nothing held
  /// besides.
  ///
  /// - Parameters:
  ///   - root: the tree, used up.
  ///   - change: may give each item, in order, another owner; nothing else.
  /// - Returns: the tree.
  /// - Complexity: O(*n*).
  mutating func compact(_ root: Root, _ change: (inout Item) -> Void) -> Root {
    var kept: [Item] = []
    kept.reserveCapacity(leafCount.reduce(0) { $0 + Int($1) })
    var next: Int32? = first(in: root).leaf
    while let leaf = next {
      for slot in 0..<Int(leafCount[Int(leaf)]) {
        kept.append(self[leaf, slot])
        change(&kept[kept.count - 1])
      }
      next = self.leaf(after: leaf)
    }
    self = RangeMinTree()
    reserve(for: kept)
    return build(kept)
  }

  /// Makes as much room in an empty pool as a tree of these items takes.
  private mutating func reserve(for given: [Item]) {
    let leaves = evenParts(of: given.count, height: 0).count
    leafCount.reserveCapacity(leaves)
    leafPlace.reserveCapacity(leaves)
    items.reserveCapacity(leaves * fanout)
    leafOf.reserveCapacity(given.reduce(0) { max($0, Int($1.owner) + 1) })
    var inners = 0
    var level = leaves
    var height: Int32 = 0
    while level > 1 {
      height += 1
      level = evenParts(of: level, height: height).count
      inners += level
    }
    children.reserveCapacity(inners * innerFanout)
    summaries.reserveCapacity(inners * innerFanout)
    innerCount.reserveCapacity(inners)
    innerPlace.reserveCapacity(inners)
    innerHeight.reserveCapacity(inners)
  }
}

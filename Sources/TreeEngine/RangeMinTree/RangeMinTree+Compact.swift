extension RangeMinTree {
  /// Sets ``ChunkedArray/isSole`` of all arrays of the pool.
  mutating func setSole(_ isSole: Bool) {
    items.isSole = isSole
    leaves.isSole = isSole
    children.isSole = isSole
    summaries.isSole = isSole
    inners.isSole = isSole
    leafOf.isSole = isSole
  }

  /// Rebuilds a tree with well filled nodes and releases all other memory of the pool.
  ///
  /// - Precondition: the pool holds no other tree.
  /// - Parameters:
  ///   - root: the tree. It is invalid afterwards.
  ///   - change: called with each item in order. It may change the item's owner and nothing else.
  /// - Returns: the new tree.
  /// - Complexity: O(*n*).
  mutating func compact(_ root: Root, _ change: (inout Item) -> Void) -> Root {
    var kept: [Item] = []
    kept.reserveCapacity(leaves.indices.reduce(0) { $0 + count(ofLeaf: Int32($1)) })
    var next: Int32? = first(in: root).leaf
    while let leaf = next {
      for slot in 0..<count(ofLeaf: leaf) {
        kept.append(self[leaf, slot])
        change(&kept[kept.count - 1])
      }
      next = self.leaf(after: leaf)
    }
    self = RangeMinTree()
    return build(kept)
  }
}

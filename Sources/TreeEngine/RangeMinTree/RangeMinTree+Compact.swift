extension RangeMinTree {
  /// Says whether no other pool holds any of the arrays' chunks; see ``ChunkedArray/isSole``.
  mutating func setSole(_ isSole: Bool) {
    items.isSole = isSole
    leaves.isSole = isSole
    children.isSole = isSole
    summaries.isSole = isSole
    inners.isSole = isSole
    leafOf.isSole = isSole
  }

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

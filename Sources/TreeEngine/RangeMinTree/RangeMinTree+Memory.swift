// The memory of a pool of trees: what it takes, and how it is shared and released.
extension RangeMinTree {
  /// The memory of the arrays, in bytes.
  ///
  /// - Complexity: O(1).
  var byteCount: Int {
    items.byteCount + leaves.byteCount + children.byteCount + summaries.byteCount
      + inners.byteCount + leafOf.byteCount
  }

  /// The memory of chunks that only forks and snapshots hold, because a write copied them.
  ///
  /// It is counted since ``forgetCopies()``.
  ///
  /// - Complexity: O(1).
  var copiedBytes: Int {
    items.copiedBytes + leaves.copiedBytes + children.copiedBytes + summaries.copiedBytes
      + inners.copiedBytes + leafOf.copiedBytes
  }

  /// Returns the memory of a tree that is built from `count` items, in bytes.
  static func byteCount(ofItems count: Int) -> Int {
    let leaf = MemoryLayout<Item>.stride + MemoryLayout<Leaf>.stride / Width.fanout + 4
    let inner = MemoryLayout<Summary>.stride + 4 + MemoryLayout<Inner>.stride
    return count * leaf + count / Width.fanout * inner
  }

  /// Resets ``copiedBytes``.
  mutating func forgetCopies() {
    items.forgetCopies()
    leaves.forgetCopies()
    children.forgetCopies()
    summaries.forgetCopies()
    inners.forgetCopies()
    leafOf.forgetCopies()
  }

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
  /// - Precondition: The pool holds no other tree.
  /// - Parameters:
  ///   - root: The tree. It is invalid afterwards.
  ///   - change: Called with each item in order. It may change the item's owner and nothing else.
  /// - Returns: The new tree.
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

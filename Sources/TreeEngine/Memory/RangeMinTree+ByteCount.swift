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
}

extension RangeMinTree {
  /// Resets ``copiedBytes``.
  mutating func forgetCopies() {
    items.forgetCopies()
    leaves.forgetCopies()
    children.forgetCopies()
    summaries.forgetCopies()
    inners.forgetCopies()
    leafOf.forgetCopies()
  }
}

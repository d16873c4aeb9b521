extension RangeMinTree {
  /// The bytes of its arrays.
  ///
  /// - Complexity: O(1).
  var byteCount: Int {
    items.byteCount + leaves.byteCount + children.byteCount + summaries.byteCount
      + inners.byteCount + leafOf.byteCount
  }

  /// The bytes of chunks that were copied since nobody else held any, as others still hold the
  /// originals.
  ///
  /// - Complexity: O(1).
  var copiedBytes: Int {
    items.copiedBytes + leaves.copiedBytes + children.copiedBytes + summaries.copiedBytes
      + inners.copiedBytes + leafOf.copiedBytes
  }

  /// The bytes of a tree that is built of so many items.
  static func byteCount(ofItems count: Int) -> Int {
    let leaf = MemoryLayout<Item>.stride + MemoryLayout<Leaf>.stride / Width.fanout + 4
    let inner = MemoryLayout<Summary>.stride + 4 + MemoryLayout<Inner>.stride
    return count * leaf + count / Width.fanout * inner
  }
}

extension RangeMinTree {
  /// Counts copied chunks anew.
  mutating func forgetCopies() {
    items.forgetCopies()
    leaves.forgetCopies()
    children.forgetCopies()
    summaries.forgetCopies()
    inners.forgetCopies()
    leafOf.forgetCopies()
  }
}

extension SizedTree {
  /// How many bytes may have to be copied for lack of room when something is inserted or updated.
  ///
  /// The tree's arrays double as they grow, so that one edit in many copies all there is: no more
  /// on average, but long for who cannot wait. What is small beside the tree does not count.
  ///
  /// - Parameters:
  ///   - nodes: How many nodes may come.
  ///   - places: At how many places.
  ///   - bytes: How many bytes their keys and the objects that change may have.
  /// - Returns: The bytes; 0 where there is room.
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func bytesCopied(inserting nodes: Int, at places: Int, bytes: Int) -> Int {
    forest.keyTable.bytesCopied(adding: nodes)
      + forest.keyArena.bytes.bytesCopied(adding: bytes)
      + forest.objectArena.bytes.bytesCopied(adding: bytes)
      + forest.records.bytesCopied(adding: nodes - forest.freeNodes.count)
      + forest.sequence.bytesCopied(inserting: nodes, at: places)
  }
}

extension RangeMinTree {
  /// How many bytes are copied if so many items come at so many places.
  fileprivate func bytesCopied(inserting count: Int, at places: Int) -> Int {
    // A leaf that is full becomes two, and those that come between are at least half full.
    let leaves = 2 * places + 2 * count / fanout - freeLeaves.count
    return items.bytesCopied(adding: leaves * fanout)
      + leafOf.bytesCopied(adding: count)
  }
}

extension Array {
  /// How many bytes are copied if so many elements come.
  fileprivate func bytesCopied(adding more: Int) -> Int {
    count + more > capacity ? count * MemoryLayout<Element>.stride : 0
  }
}

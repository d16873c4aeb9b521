extension RangeMinTree {
  /// The leaf before a leaf of the same tree, or nil at the start.
  ///
  /// - Complexity: O(log *n*), constant on average over a scan.
  func leaf(before leaf: Int32) -> Int32? {
    var height: Int32 = 0
    var place = leaves[Int(leaf)].place
    while place >= 0 {
      let (up, slot) = inner(at: place)
      if slot > 0 {
        var next = children[Int(place) - 1]
        while height > 0 {
          next = children[places(of: next).upperBound - 1]
          height -= 1
        }
        return next
      }
      height += 1
      place = inners[Int(up)].place
    }
    return nil
  }

  /// The summary of a leaf, as it is kept above.
  ///
  /// - Complexity: O(1), O(fan-out) for a leaf that is the root.
  func summary(ofLeaf leaf: Int32) -> Summary {
    let place = leaves[Int(leaf)].place
    return place < 0 ? summary(of: leaf, height: 0) : summaries[Int(place)]
  }
}

// Siblings and descendants, derived from the depths. Every row's parent must be a row, too.
extension RowSequence {
  /// Returns the place of the next row; nil at the end.
  ///
  /// - Complexity: O(1) on average over a scan.
  func next(_ place: Place) -> Place? {
    var next = place
    next.index += 1
    next.slot += 1
    if next.slot == rows.count(ofLeaf: place.leaf) {
      guard let leaf = rows.leaf(after: place.leaf) else { return nil }
      next.leaf = leaf
      next.slot = 0
    }
    next.depth += rows[next.leaf, next.slot].step
    return next
  }

  /// Returns the number of siblings before a row.
  ///
  /// They are the rows of its depth, back to the last row that is less deep.
  ///
  /// - Complexity: O(log *n*).
  func position(of place: Place) -> Int {
    var position: Int32 = 0
    // The depth of the last row before a run's end, minus that of the row at `place`.
    var last = -rows[place.leaf, place.slot].step
    _ = rows.scanBackward(leaf: place.leaf, slot: place.slot) { run in
      let least = last - run.sum + run.minimum
      if least < 0 { return true }
      if least == 0 { position += run.minimumCount }
      last -= run.sum
      return false
    }
    return Int(position)
  }

  /// Returns the number of rows below a row: those after it, up to one that is not deeper.
  ///
  /// - Complexity: O(log *n*).
  func descendants(of place: Place) -> Int {
    var count: Int32 = 0
    var depth: Int32 = 0
    _ = rows.scanForward(leaf: place.leaf, slot: place.slot + 1) { run in
      if depth + run.minimum <= 0 { return true }
      depth += run.sum
      count += run.count
      return false
    }
    return Int(count)
  }
}

extension RowSequence {
  /// Returns the memory of a sequence of `count` rows, in bytes.
  static func byteCount(ofRows count: Int) -> Int {
    RangeMinTree<Row, Width>.byteCount(ofItems: count) + NodeTable<Int32>.byteCount(ofNodes: count)
  }
}

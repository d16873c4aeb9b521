extension RangeMinTree {
  /// Returns the leaf before a leaf of the same tree, or nil at the start.
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

  /// A leaf, and the count and sum of all items before it.
  struct LeafStart: Sendable {
    var leaf: Int32
    var count: Int32 = 0
    var sum: Int32 = 0
  }

  /// Returns the leaf that holds a position, with the count and sum of all items before it.
  ///
  /// - Precondition: `position` is below the tree's count.
  /// - Complexity: O(fan-out · log *n*).
  func leafStart(at position: Int32, in root: Root) -> LeafStart {
    let (leaf, slot, sum) = leaf(at: position, in: root)
    return LeafStart(leaf: leaf, count: position - Int32(slot), sum: sum)
  }

  /// Returns the leaf that holds a position, with the count and sum of all items before it.
  ///
  /// The search begins at `start`.
  ///
  /// - Precondition: `position` is below the tree's count and not before the leaf of `start`.
  /// - Complexity: O(fan-out · log *d*) for a distance of *d* leaves.
  func leaf(at position: Int32, from start: LeafStart) -> LeafStart {
    var found = start
    var child = Int(leaves[Int(start.leaf)].place)
    if child < 0 || position < start.count + summaries[child].count { return found }
    var place = child
    var height: Int32 = 0
    while true {
      let (up, slot) = inner(at: Int32(child))
      let end = child - slot + Int(inners[Int(up)].count)
      while place < end, position >= found.count + summaries[place].count {
        pass(place, &found)
        place += 1
      }
      if place < end { break }
      // The rest of this node has been passed. Go on behind it, one level up.
      height += 1
      child = Int(inners[Int(up)].place)
      precondition(child >= 0, "the position is beyond the last")
      place = child + 1
    }
    found.leaf = children[place]
    while height > 0 {
      place = Int(found.leaf) * innerFanout
      while position >= found.count + summaries[place].count {
        pass(place, &found)
        place += 1
      }
      found.leaf = children[place]
      height -= 1
    }
    return found
  }

  private func pass(_ place: Int, _ found: inout LeafStart) {
    found.count &+= summaries[place].count
    found.sum &+= summaries[place].sum
  }

  /// Returns the summary of a leaf as its parent stores it.
  ///
  /// - Complexity: O(1), O(fan-out) for a leaf that is the root.
  func summary(ofLeaf leaf: Int32) -> Summary {
    let place = leaves[Int(leaf)].place
    return place < 0 ? summary(of: leaf, height: 0) : summaries[Int(place)]
  }

  /// Prefetches the items of a leaf into the cache.
  func prefetchEntries(of leaf: Int32) {
    let first = Int(leaf) * leafStride
    let itemsPerLine = max(1, 64 / MemoryLayout<Item>.stride)
    for offset in stride(from: 0, to: count(ofLeaf: leaf), by: itemsPerLine) {
      items.prefetch(first + offset)
    }
  }
}

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

  // MARK: Checks

  /// Recomputes everything that a tree stores and compares it.
  ///
  /// For tests.
  ///
  /// - Complexity: O(*n*).
  func checkInvariants(of root: Root) {
    precondition(place(of: root.node, height: root.height) == -1, "a root hangs somewhere")
    var pending = [root]
    while let next = pending.popLast() {
      let count = count(of: next.node, height: next.height)
      precondition(count <= capacity(height: next.height), "a node is overfull")
      let isFilled = next == root || count >= minimumFill(height: next.height)
      precondition(isFilled, "a node is underfull")
      if next.height == 0 { checkLeaf(next.node) } else { pending += checkedChildren(of: next) }
    }
  }

  private func checkLeaf(_ leaf: Int32) {
    for slot in 0..<count(ofLeaf: leaf) {
      let owner = self[leaf, slot].owner
      precondition(owner < 0 || leafOf[Int(owner)] == leaf, "an item does not know its leaf")
    }
  }

  private func checkedChildren(of root: Root) -> [Root] {
    precondition(inners[Int(root.node)].height == root.height, "an inner node has a wrong height")
    precondition(inners[Int(root.node)].count >= 2, "an inner node has fewer than two children")
    return places(of: root.node).map { place in
      let child = children[place]
      let height = root.height - 1
      precondition(self.place(of: child, height: height) == place, "a child hangs elsewhere")
      precondition(summaries[place] == summary(of: child, height: height), "a summary is stale")
      return Root(node: child, height: height)
    }
  }
}

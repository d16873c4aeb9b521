extension Forest {
  /// The location of a node in the sequence.
  struct Place: PreorderPlace {
    var leaf: Int32
    var slot: Int
    /// The index in pre-order.
    ///
    /// The forest root has 0.
    var position: Int32
    /// The depth in the engine, one more than in the API.
    ///
    /// The forest root has 0.
    var depth: Int32
  }

  func entry(at place: Place) -> Entry { sequence[place.leaf, place.slot] }

  func node(at place: Place) -> NodeID { entry(at: place).node }

  /// Returns true if the node is in the sequence and not cut out of it.
  ///
  /// - Complexity: O(log *n*).
  func isAttached(_ node: NodeID) -> Bool {
    guard node.offset < sequence.leafOf.count, sequence.leafOf[node.offset] >= 0 else {
      return false
    }
    return sequence.root(of: sequence.leafOf[node.offset]) == root
  }

  /// Returns the place of a node.
  ///
  /// - Precondition: The node is in the sequence.
  /// - Complexity: O(log *n*).
  func place(of node: NodeID) -> Place {
    guard let place = place(ofAttached: node) else { preconditionFailure("the node is cut out") }
    return place
  }

  /// Returns the place of a node, or nil if it is not in the sequence.
  ///
  /// - Complexity: O(log *n*).
  func place(ofAttached node: NodeID) -> Place? {
    guard node.offset < sequence.leafOf.count, sequence.leafOf[node.offset] >= 0 else {
      return nil
    }
    let (leaf, slot, count, sum, top) = sequence.rank(ofOwner: node.index)
    guard top == root else { return nil }
    let step = sequence[leaf, slot].step
    return Place(leaf: leaf, slot: slot, position: count, depth: sum + step)
  }

  /// Returns the place at a position.
  ///
  /// - Complexity: O(log *n*).
  func place(at position: Int32) -> Place {
    let (leaf, slot, sum) = sequence.locate(position, in: root)
    let step = sequence[leaf, slot].step
    return Place(leaf: leaf, slot: slot, position: position, depth: sum + step)
  }

  /// Returns the place at a position, searched from a leaf at or before it.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - known: The leaf to start from, or nil. It is set to the leaf of the position.
  /// - Returns: The place.
  /// - Complexity: O(log *d*) for a distance of *d* leaves.
  func place(at position: Int32, from known: inout Sequence.LeafStart?) -> Place {
    let found =
      known.map { sequence.leaf(at: position, from: $0) }
      ?? sequence.leafStart(at: position, in: root)
    known = found
    let slot = Int(position - found.count)
    let entries = sequence.entries(of: found.leaf)
    var depth = found.sum
    for slot in 0...slot { depth &+= entries[slot].step }
    return Place(leaf: found.leaf, slot: slot, position: position, depth: depth)
  }

  /// Returns the next place in pre-order, or nil at the end.
  ///
  /// - Complexity: O(1) on average over a scan.
  func next(_ place: Place) -> Place? {
    var next = place
    next.position += 1
    next.slot += 1
    if next.slot == sequence.count(ofLeaf: place.leaf) {
      guard let leaf = sequence.leaf(after: place.leaf) else { return nil }
      next.leaf = leaf
      next.slot = 0
    }
    next.depth += entry(at: next).step
    return next
  }

  /// Prefetches the records of consecutive entries.
  ///
  /// The entries of the next leaf are prefetched while those of a leaf are read.
  func prefetchRecords(from start: Place, count: Int) {
    var (leaf, slot, rest) = (start.leaf, start.slot, count)
    while true {
      let entries = sequence.entries(of: leaf)
      let inLeaf = min(entries.count &- slot, rest)
      let next = inLeaf < rest ? sequence.leaf(after: leaf) : nil
      if let next { sequence.prefetchEntries(of: next) }
      for slot in slot..<(slot &+ inLeaf) { records.prefetch(entries[slot].node.offset) }
      guard let next else { return }
      (leaf, slot, rest) = (next, 0, rest &- inLeaf)
    }
  }

  /// Returns the first place after the subtree of a place, or nil at the end.
  ///
  /// - Complexity: O(log *n*).
  func afterSubtree(_ place: Place) -> Place? {
    var end = place
    end.position += 1
    let found = sequence.scanForward(leaf: place.leaf, slot: place.slot + 1) { run in
      if end.depth + run.minimum <= place.depth { return true }
      end.depth += run.sum
      end.position += run.count
      return false
    }
    guard let found else { return nil }
    end.leaf = found.leaf
    end.slot = found.slot
    end.depth += entry(at: end).step
    return end
  }

  /// A range of the sequence that consists of one or more consecutive subtrees.
  struct Stretch {
    /// The place of the first root.
    var first: Place
    /// The first place after the range, or nil at the end.
    var following: Place?
    /// The position after the last entry.
    var end: Int32
    /// The number of subtrees.
    var rootCount: Int32 = 1

    /// The number of entries.
    var size: Int32 { end - first.position }

    func contains(_ position: Int32) -> Bool { first.position <= position && position < end }
  }

  /// Returns the subtree of the node at a place.
  ///
  /// - Complexity: O(log *n*).
  func subtree(at place: Place) -> Stretch {
    let isLeaf = self[node(at: place)].childCount == 0
    let following = isLeaf ? next(place) : afterSubtree(place)
    return Stretch(first: place, following: following, end: following?.position ?? entryCount)
  }

  /// Returns the position after a subtree's last entry.
  ///
  /// - Complexity: O(log *n*).
  func subtreeEnd(_ place: Place) -> Int32 {
    if self[node(at: place)].childCount == 0 { return place.position + 1 }
    return afterSubtree(place)?.position ?? entryCount
  }

  /// Returns the depth of the entry before a place, or 0 before the first.
  func depth(before place: Place) -> Int32 { place.depth - entry(at: place).step }

  /// Returns the `index`-th entry of a depth, counted from 0 at a place.
  ///
  /// - Precondition: No entry from the place to the result is less deep than `depth`.
  /// - Complexity: O(log *n*).
  func select(_ index: Int32, atDepth depth: Int32, from start: Place) -> Place {
    var rest = index
    var found = start
    found.depth = self.depth(before: start)
    let target = sequence.scanForward(leaf: start.leaf, slot: start.slot) { run in
      let least = found.depth + run.minimum
      let occurrences = least == depth ? run.minimumCount : 0
      // A run with a smaller depth ends the search range, so the target is inside.
      if rest < occurrences || least < depth { return true }
      rest -= occurrences
      found.depth += run.sum
      found.position += run.count
      return false
    }
    guard let target else { preconditionFailure("fewer entries of that depth than asked for") }
    found.leaf = target.leaf
    found.slot = target.slot
    found.depth += entry(at: found).step
    return found
  }

  /// Returns the place of the `index`-th child of a node.
  ///
  /// - Precondition: `index` is below the child count.
  /// - Complexity: O(log *n*).
  func child(_ index: Int, of parent: Place) -> Place {
    guard let first = next(parent) else { preconditionFailure("a parent without an entry behind") }
    return select(Int32(index), atDepth: parent.depth + 1, from: first)
  }

  /// Returns the number of siblings before a node.
  ///
  /// They are the entries of its depth since the last entry that is less deep, the parent.
  ///
  /// - Complexity: O(log *n*).
  func childPosition(of place: Place) -> Int {
    var position: Int32 = 0
    var after = depth(before: place)
    _ = sequence.scanBackward(leaf: place.leaf, slot: place.slot) { run in
      let least = after - run.sum + run.minimum
      if least < place.depth { return true }
      if least == place.depth { position += run.minimumCount }
      after -= run.sum
      return false
    }
    return Int(position)
  }

  /// Returns the place of a parent, given the parent and the place of a child.
  ///
  /// A parent in the same leaf is found by a scan back.
  ///
  /// - Complexity: O(log *n*).
  func place(ofParent parent: NodeID, of place: Place) -> Place {
    let leaf = sequence.leafOf[parent.offset]
    var found = place
    found.depth -= 1
    if leaf == place.leaf {
      let entries = sequence.entries(of: leaf)
      repeat { found.slot -= 1 } while entries[found.slot].node != parent
      found.position -= Int32(place.slot - found.slot)
    } else {
      (found.leaf, found.slot) = sequence.slot(ofOwner: parent.index)
      found.position = sequence.count(before: found.leaf) + Int32(found.slot)
    }
    return found
  }

  /// Returns the least depth at positions from a place to before `end`, and how often it occurs.
  ///
  /// - Precondition: The place is before `end`.
  /// - Complexity: O(log *n*).
  func depthMinimum(from start: Place, to end: Int32) -> (depth: Int32, count: Int32) {
    var total = Summary.zero
    let before = depth(before: start)
    let wanted = end - start.position
    _ = sequence.scanForward(leaf: start.leaf, slot: start.slot) { run in
      if total.count + run.count > wanted { return true }
      total += run
      return false
    }
    return (before + total.minimum, total.minimumCount)
  }

  /// Returns the last node before a position with at most the given depth.
  ///
  /// - Precondition: `position` is positive, and `depth` not negative. So the forest root fits.
  /// - Complexity: O(log *n*).
  func last(before position: Int32, notDeeperThan depth: Int32) -> NodeID {
    let start = place(at: position - 1)
    if start.depth <= depth { return node(at: start) }
    var after = start.depth
    let found = sequence.scanBackward(leaf: start.leaf, slot: start.slot + 1) { run in
      // The entries of the run have depths (after - run.sum) + running sum. This is their minimum.
      if after - run.sum + run.minimum <= depth { return true }
      after -= run.sum
      return false
    }
    guard let found else { preconditionFailure("the forest root is at depth 0") }
    return sequence[found.leaf, found.slot].node
  }
}

extension Forest {
  /// Where a node is in the sequence.
  struct Place: PreorderPlace {
    var leaf: Int32
    var slot: Int
    /// Index in pre-order; 0 is the forest root.
    var position: Int32
    /// 0 is the forest root's.
    var depth: Int32
  }

  func entry(at place: Place) -> Entry { sequence[place.leaf, place.slot] }

  func node(at place: Place) -> NodeID { entry(at: place).node }

  /// Whether the node is in the sequence (and not cut out of it).
  ///
  /// - Complexity: O(log *n*).
  func isAttached(_ node: NodeID) -> Bool {
    guard node.offset < sequence.leafOf.count, sequence.leafOf[node.offset] >= 0 else {
      return false
    }
    return sequence.root(of: sequence.leafOf[node.offset]) == root
  }

  /// - Complexity: O(log *n*).
  func place(of node: NodeID) -> Place {
    guard let place = place(ofAttached: node) else { preconditionFailure("the node is cut out") }
    return place
  }

  /// Where a node is in the sequence, or nil when it is not.
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

  /// - Complexity: O(log *n*).
  func place(at position: Int32) -> Place {
    let (leaf, slot, sum) = sequence.locate(position, in: root)
    let step = sequence[leaf, slot].step
    return Place(leaf: leaf, slot: slot, position: position, depth: sum + step)
  }

  /// Where a position is, looked for from a leaf at or before it, if one is known; that of the
  /// place is known then.
  ///
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

  /// The next entry in pre-order.
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

  /// Begins to load the records of consecutive entries, for who reads them soon, and does not wait
  /// for them.
  ///
  /// The entries of a leaf are asked for while those of the one before are read.
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

  /// The first entry behind a place that is not below it: where its subtree ends.
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

  /// A subtree, or several that stand side by side, as a stretch of the sequence.
  struct Stretch {
    /// The place of the root, or of the first one's.
    var first: Place
    /// The first entry behind it; nil at the end.
    var following: Place?
    /// The position behind its last entry.
    var end: Int32
    /// How many subtrees there are.
    var rootCount: Int32 = 1

    /// How many entries it has.
    var size: Int32 { end - first.position }

    func contains(_ position: Int32) -> Bool { first.position <= position && position < end }
  }

  /// The subtree of the node at a place.
  ///
  /// - Complexity: O(log *n*).
  func subtree(at place: Place) -> Stretch {
    let isLeaf = self[node(at: place)].childCount == 0
    let following = isLeaf ? next(place) : afterSubtree(place)
    return Stretch(first: place, following: following, end: following?.position ?? entryCount)
  }

  /// The position behind a subtree's last entry.
  ///
  /// - Complexity: O(log *n*).
  func subtreeEnd(_ place: Place) -> Int32 {
    if self[node(at: place)].childCount == 0 { return place.position + 1 }
    return afterSubtree(place)?.position ?? entryCount
  }

  /// The depth of the entry before a place; 0 before the first.
  func depth(before place: Place) -> Int32 { place.depth - entry(at: place).step }

  /// The `index`-th entry of a depth at or behind a place, nothing on the way being less deep.
  ///
  /// - Complexity: O(log *n*).
  func select(_ index: Int32, atDepth depth: Int32, from start: Place) -> Place {
    var rest = index
    var found = start
    found.depth = self.depth(before: start)
    let target = sequence.scanForward(leaf: start.leaf, slot: start.slot) { run in
      let least = found.depth + run.minimum
      let occurrences = least == depth ? run.minimumCount : 0
      // A run that also goes above the depth ends the stretch asked for: the target is inside.
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

  /// The `index`-th child of a node.
  ///
  /// - Precondition: `index` is below the child count.
  /// - Complexity: O(log *n*).
  func child(_ index: Int, of parent: Place) -> Place {
    guard let first = next(parent) else { preconditionFailure("a parent without an entry behind") }
    return select(Int32(index), atDepth: parent.depth + 1, from: first)
  }

  /// How many siblings stand before a node.
  ///
  /// They are the entries of its depth between it and the last one before it that is less deep,
  /// its parent.
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

  /// Where the parent of the node at a place is, given the parent.
  ///
  /// One that stands in the same leaf is found by going back to it.
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

  /// The least depth at positions from a place up to `end`, and how often it occurs there.
  ///
  /// - Precondition: the place is before `end`.
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

  /// The last entry before a position that is at most so deep.
  ///
  /// - Precondition: `depth` is not negative, so that the forest root is one.
  /// - Complexity: O(log *n*).
  func last(before position: Int32, notDeeperThan depth: Int32) -> NodeID {
    let start = place(at: position - 1)
    if start.depth <= depth { return node(at: start) }
    var after = start.depth
    let found = sequence.scanBackward(leaf: start.leaf, slot: start.slot + 1) { run in
      // The run's entries have depths (after - run.sum) + running sum; their least is:
      if after - run.sum + run.minimum <= depth { return true }
      after -= run.sum
      return false
    }
    guard let found else { preconditionFailure("the forest root is at depth 0") }
    return sequence[found.leaf, found.slot].node
  }
}

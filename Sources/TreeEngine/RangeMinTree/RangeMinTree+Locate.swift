extension RangeMinTree {
  /// Finds the last item that starts at or before a position.
  ///
  /// Items of weight 0 start where the next item starts. Among the items that start exactly at
  /// `position`, those for which `isAfter` is true are skipped. `isAfter` must be false for a
  /// prefix of them and true for the rest.
  ///
  /// - Precondition: The tree is not empty and its first item starts at or before the position.
  /// - Complexity: O(fan-out · log *n*), with O(log *n*) calls of `isAfter`.
  func last(
    in root: Root,
    startingAtOrBefore position: Int32,
    isAfter: (Item) -> Bool = { _ in false }
  ) -> Cursor {
    var node = root.node
    var height = root.height
    var prefix = Summary.zero
    while height > 0 {
      let places = places(of: node)
      let row = summaries.span(places)
      var slot = 0
      while slot + 1 < row.count, prefix.count + row[slot].count < position {
        add(row[slot], to: &prefix)
        slot += 1
      }
      var last = slot
      var start = prefix.count + row[slot].count
      while last + 1 < row.count, start == position {
        last += 1
        start += row[last].count
      }
      let found = Self.last(from: slot, to: last) {
        isAfter(firstItem(under: children[places.lowerBound + $0], height: height - 1))
      }
      for slot in slot..<found { add(row[slot], to: &prefix) }
      node = children[places.lowerBound + found]
      height -= 1
    }
    return lastInLeaf(node, position: position, prefix: prefix, isAfter: isAfter)
  }

  private func lastInLeaf(
    _ leaf: Int32,
    position: Int32,
    prefix: Summary,
    isAfter: (Item) -> Bool
  ) -> Cursor {
    let entries = entries(of: leaf)
    var cursor = Cursor(leaf: leaf, slot: 0, prefix: prefix)
    while cursor.slot + 1 < entries.count,
      case let summary = entries[cursor.slot].summary,
      cursor.prefix.count + summary.count < position
    {
      add(summary, to: &cursor.prefix)
      cursor.slot += 1
    }
    guard !entries.isEmpty else { return cursor }
    var last = cursor.slot
    var start = cursor.prefix.count + entries[last].summary.count
    while last + 1 < entries.count, start == position {
      last += 1
      start += entries[last].summary.count
    }
    let found = Self.last(from: cursor.slot, to: last) { isAfter(self[leaf, $0]) }
    for slot in cursor.slot..<found { add(entries[slot].summary, to: &cursor.prefix) }
    cursor.slot = found
    return cursor
  }

  /// Returns the last place for which a condition is false, or `first` if there is none.
  ///
  /// - Precondition: The condition is monotonic, false then true.
  private static func last(from first: Int, to last: Int, unless isAfter: (Int) -> Bool) -> Int {
    var low = first
    var high = last
    while low < high {
      let middle = (low + high + 1) / 2
      if isAfter(middle) { high = middle - 1 } else { low = middle }
    }
    return low
  }

  private func firstItem(under node: Int32, height: Int32) -> Item {
    item(first(in: Root(node: node, height: height)))
  }

  /// Returns a cursor at the first item of a tree, or at slot 0 of an empty one.
  ///
  /// - Complexity: O(log *n*).
  func first(in root: Root) -> Cursor {
    var node = root.node
    for _ in 0..<root.height { node = children[Int(node) * innerFanout] }
    return Cursor(leaf: node, slot: 0, prefix: .zero)
  }

  /// Finds a position in a tree whose items all have weight 1.
  ///
  /// - Precondition: `position` is below the tree's count.
  /// - Returns: The leaf and slot, and the sum of all items before it.
  /// - Complexity: O(fan-out · log *n*).
  func locate(_ position: Int32, in root: Root) -> (leaf: Int32, slot: Int, sum: Int32) {
    let (leaf, slot, sumBefore) = self.leaf(at: position, in: root)
    var sum = sumBefore
    let first = Int(leaf) * leafStride
    let before = items.span(first..<(first + slot))
    for slot in before.indices { sum &+= before[slot].summary.sum }
    return (leaf, slot, sum)
  }

  /// Finds the leaf that holds a position, and the slot in it.
  ///
  /// - Precondition: As for ``locate(_:in:)``.
  /// - Returns: The leaf and slot, and the sum of all items before the leaf.
  /// - Complexity: O(fan-out · log *n*).
  func leaf(at position: Int32, in root: Root) -> (leaf: Int32, slot: Int, sumBefore: Int32) {
    var node = root.node
    var height = root.height
    var rest = position
    var sum: Int32 = 0
    while height > 0 {
      let row = row(of: node)
      var slot = 0
      while rest >= row[slot].count {
        rest -= row[slot].count
        sum &+= row[slot].sum
        slot += 1
      }
      node = children[Int(node) * innerFanout + slot]
      height -= 1
    }
    return (node, Int(rest), sum)
  }

  /// Prefetches the number of the leaf that holds an owner's item.
  func prefetchLeaf(ofOwner owner: Int32) {
    if Int(owner) < leafOf.count { leafOf.prefetch(Int(owner)) }
  }

  /// Prefetches the leaf that holds an owner's item.
  func prefetch(ofOwner owner: Int32) {
    guard Int(owner) < leafOf.count, case let leaf = Int(leafOf[Int(owner)]), leaf >= 0 else {
      return
    }
    leaves.prefetch(leaf)
    items.prefetch(leaf * leafStride)
  }

  /// Finds the leaf and the slot of an owner's item.
  ///
  /// - Precondition: The item is in a tree.
  func slot(ofOwner owner: Int32) -> (leaf: Int32, slot: Int) {
    let leaf = leafOf[Int(owner)]
    precondition(leaf >= 0, "the item is in no tree")
    let entries = entries(of: leaf)
    for slot in entries.indices where entries[slot].owner == owner { return (leaf, slot) }
    preconditionFailure("the item is not in its leaf")
  }

  /// Finds an owner's item, and the count and sum of everything before it, in one pass through its
  /// leaf.
  ///
  /// - Precondition: The item is in a tree.
  /// - Complexity: O(fan-out · log *n*).
  func rank(
    ofOwner owner: Int32
  ) -> (leaf: Int32, slot: Int, count: Int32, sum: Int32, root: Root) {
    let leaf = leafOf[Int(owner)]
    precondition(leaf >= 0, "the item is in no tree")
    let entries = entries(of: leaf)
    var count: Int32 = 0
    var sum: Int32 = 0
    var slot = 0
    while slot < entries.count, case let item = entries[slot], item.owner != owner {
      count &+= item.summary.count
      sum &+= item.summary.sum
      slot &+= 1
    }
    precondition(slot < entries.count, "the item is not in its leaf")
    let above = rank(ofLeaf: leaf)
    return (leaf, slot, above.count &+ count, above.sum &+ sum, above.root)
  }

  /// Counts and sums everything before an item in a slot, walking up from its leaf to the root.
  ///
  /// - Complexity: O(fan-out · log *n*).
  func rank(leaf: Int32, slot: Int) -> (count: Int32, sum: Int32, root: Root) {
    var count: Int32 = 0
    var sum: Int32 = 0
    let first = Int(leaf) * leafStride
    let entries = items.span(first..<(first + slot))
    for slot in entries.indices {
      let summary = entries[slot].summary
      count &+= summary.count
      sum &+= summary.sum
    }
    let above = rank(ofLeaf: leaf)
    return (above.count &+ count, above.sum &+ sum, above.root)
  }

  /// Counts everything before a leaf.
  ///
  /// - Complexity: O(fan-out · log *n*).
  func count(before leaf: Int32) -> Int32 { rank(ofLeaf: leaf).count }

  /// Counts and sums everything before a leaf, walking up to the root.
  private func rank(ofLeaf leaf: Int32) -> (count: Int32, sum: Int32, root: Root) {
    var count: Int32 = 0
    var sum: Int32 = 0
    var root = Root(node: leaf, height: 0)
    var place = leaves[Int(leaf)].place
    while place >= 0 {
      let (up, slot) = inner(at: place)
      root = Root(node: up, height: root.height + 1)
      let entries = summaries.span((Int(place) - slot)..<Int(place))
      for slot in entries.indices {
        count &+= entries[slot].count
        sum &+= entries[slot].sum
      }
      place = inners[Int(up)].place
    }
    return (count, sum, root)
  }

  /// Returns a cursor at an owner's item, with the full summary of everything before it.
  ///
  /// - Complexity: O(fan-out · log *n*).
  func cursor(ofOwner owner: Int32) -> Cursor {
    let (leaf, slot) = slot(ofOwner: owner)
    var prefix = Summary.zero
    for slot in 0..<slot { prefix += self[leaf, slot].summary }
    var place = leaves[Int(leaf)].place
    while place >= 0 {
      let (up, slot) = inner(at: place)
      var before = Summary.zero
      for place in (Int(place) - slot)..<Int(place) { before += summaries[place] }
      prefix = before + prefix
      place = inners[Int(up)].place
    }
    return Cursor(leaf: leaf, slot: slot, prefix: prefix)
  }

  /// Returns the leaf after a leaf of the same tree, or nil at the end.
  ///
  /// - Complexity: O(log *n*), constant on average over a scan.
  func leaf(after leaf: Int32) -> Int32? {
    var height: Int32 = 0
    var place = leaves[Int(leaf)].place
    while place >= 0 {
      let (up, slot) = inner(at: place)
      if slot + 1 < Int(inners[Int(up)].count) {
        var next = children[Int(place) + 1]
        while height > 0 {
          next = children[Int(next) * innerFanout]
          height -= 1
        }
        return next
      }
      height += 1
      place = inners[Int(up)].place
    }
    return nil
  }

  /// Returns a cursor at the next item, or nil at the end.
  ///
  /// - Complexity: O(1) on average over a scan.
  func next(_ cursor: Cursor) -> Cursor? {
    var prefix = cursor.prefix
    add(item(cursor).summary, to: &prefix)
    if cursor.slot + 1 < count(ofLeaf: cursor.leaf) {
      return Cursor(leaf: cursor.leaf, slot: cursor.slot + 1, prefix: prefix)
    }
    return leaf(after: cursor.leaf).map { Cursor(leaf: $0, slot: 0, prefix: prefix) }
  }
}

extension RangeMinTree {
  /// Removes an item.
  ///
  /// - Complexity: O(fan-out · log *n*).
  mutating func remove(leaf: Int32, slot: Int, root: inout Root) {
    let first = Int(leaf) * leafStride
    forget(items[first + slot].owner)
    items.copy((first + slot + 1)..<(first + count(ofLeaf: leaf)), to: first + slot)
    leaves[Int(leaf)].count -= 1
    if leaves[Int(leaf)].count < minimumFill(height: 0) {
      rebalance(leaf, height: 0, root: &root)
    } else {
      refresh(changed: leaf)
    }
  }

  /// Restores the minimum fill and the summaries from a changed node up to the root.
  ///
  /// An underfull node is merged with a neighbour or filled up from it.
  mutating func rebalance(_ node: Int32, height: Int32, root: inout Root) {
    var node = node
    var height = height
    while count(of: node, height: height) < minimumFill(height: height) {
      let place = Int(place(of: node, height: height))
      guard place >= 0 else { break }
      let (up, slot) = inner(at: Int32(place))
      let leftPlace = slot > 0 ? place - 1 : place
      let left = children[leftPlace]
      let right = children[leftPlace + 1]
      let total = count(of: left, height: height) + count(of: right, height: height)
      guard total <= capacity(height: height) else {
        balance(left, right, height: height)
        summaries[leftPlace] = summary(of: left, height: height)
        summaries[leftPlace + 1] = summary(of: right, height: height)
        node = left
        break
      }
      merge(right, into: left, height: height)
      removeChild(at: leftPlace + 1, of: up, height: height)
      summaries[leftPlace] = summary(of: left, height: height)
      node = up
      height += 1
    }
    refresh(from: node, height: height)
    while root.height > 0, inners[Int(root.node)].count == 1 {
      let only = children[Int(root.node) * innerFanout]
      free(root.node, height: root.height)
      root = Root(node: only, height: root.height - 1)
      setPlace(of: only, height: root.height, to: -1)
    }
  }

  /// Removes the child at a place from its parent.
  private mutating func removeChild(at place: Int, of inner: Int32, height: Int32) {
    moveChildren((place + 1)..<places(of: inner).upperBound, to: place, height: height)
    inners[Int(inner)].count -= 1
  }

  /// Appends all entries of a node to its left neighbour and frees the node.
  mutating func merge(_ right: Int32, into left: Int32, height: Int32) {
    transfer(Int(count(of: right, height: height)), from: right, toEndOf: left, height: height)
    free(right, height: height)
  }

  /// Distributes the entries of two neighbours evenly.
  mutating func balance(_ left: Int32, _ right: Int32, height: Int32) {
    let leftCount = Int(count(of: left, height: height))
    let rightCount = Int(count(of: right, height: height))
    let wanted = (leftCount + rightCount) / 2
    if wanted > leftCount {
      transfer(wanted - leftCount, from: right, toEndOf: left, height: height)
    } else {
      transfer(leftCount - wanted, fromEndOf: left, to: right, height: height)
    }
  }

  private mutating func transfer(
    _ moved: Int,
    from right: Int32,
    toEndOf left: Int32,
    height: Int32
  ) {
    let first = start(of: right, height)
    let end = start(of: left, height) + Int(count(of: left, height: height))
    let rightEnd = first + Int(count(of: right, height: height))
    moveEntries(first..<(first + moved), to: end, height)
    moveEntries((first + moved)..<rightEnd, to: first, height)
    if height == 0 { rememberItems(of: left, from: end - start(of: left, 0), count: moved) }
    addCount(moved, to: left, height: height)
    addCount(-moved, to: right, height: height)
  }

  private mutating func transfer(
    _ moved: Int,
    fromEndOf left: Int32,
    to right: Int32,
    height: Int32
  ) {
    let first = start(of: right, height)
    let rightEnd = first + Int(count(of: right, height: height))
    let leftEnd = start(of: left, height) + Int(count(of: left, height: height))
    moveEntries(first..<rightEnd, to: first + moved, height)
    moveEntries((leftEnd - moved)..<leftEnd, to: first, height)
    if height == 0 { rememberItems(of: right, from: 0, count: moved) }
    addCount(-moved, to: left, height: height)
    addCount(moved, to: right, height: height)
  }

  /// Returns the index of a node's first entry in `items` or `children`.
  private func start(of node: Int32, _ height: Int32) -> Int {
    Int(node) * (height == 0 ? leafStride : innerFanout)
  }

  /// Moves entries of nodes of one height.
  ///
  /// Does not update `leafOf` of moved items.
  private mutating func moveEntries(_ places: Range<Int>, to first: Int, _ height: Int32) {
    if height == 0 {
      items.copy(places, to: first)
    } else {
      moveChildren(places, to: first, height: height - 1)
    }
  }

  private mutating func addCount(_ change: Int, to node: Int32, height: Int32) {
    if height == 0 {
      leaves[Int(node)].count += Int32(change)
    } else {
      inners[Int(node)].count += Int32(change)
    }
  }
}

extension RangeMinTree {
  /// Takes an item out.
  ///
  /// - Complexity: O(fan-out · log *n*).
  mutating func remove(leaf: Int32, slot: Int, root: inout Root) {
    let first = Int(leaf) * fanout
    forget(items[first + slot].owner)
    let last = first + Int(leafCount[Int(leaf)]) - 1
    for place in (first + slot)..<last { items[place] = items[place + 1] }
    leafCount[Int(leaf)] -= 1
    if leafCount[Int(leaf)] < minimumFill(height: 0) {
      settle(leaf, height: 0, root: &root)
    } else {
      refresh(changed: leaf)
    }
  }

  /// Puts a changed node and the summaries above it in order: an underfull node is merged with a
  /// neighbour, or filled up from it, and so on upwards.
  mutating func settle(_ node: Int32, height: Int32, root: inout Root) {
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
    while root.height > 0, innerCount[Int(root.node)] == 1 {
      let only = children[Int(root.node) * innerFanout]
      free(root.node, height: root.height)
      root = Root(node: only, height: root.height - 1)
      setPlace(of: only, height: root.height, to: -1)
    }
  }

  /// Takes the child of a height out of its place.
  private mutating func removeChild(at place: Int, of inner: Int32, height: Int32) {
    let last = Int(inner) * innerFanout + Int(innerCount[Int(inner)]) - 1
    for place in place..<last { moveChild(from: place + 1, to: place, height: height) }
    innerCount[Int(inner)] -= 1
  }

  /// Appends all of a node's entries to its left neighbour's and frees it.
  mutating func merge(_ right: Int32, into left: Int32, height: Int32) {
    transfer(Int(count(of: right, height: height)), from: right, toEndOf: left, height: height)
    free(right, height: height)
  }

  /// Shares the entries of two neighbours evenly.
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
    let width = Int(capacity(height: height))
    let rest = Int(count(of: right, height: height)) - moved
    let end = Int(left) * width + Int(count(of: left, height: height))
    let first = Int(right) * width
    for offset in 0..<moved { moveEntry(from: first + offset, to: end + offset, of: left, height) }
    for offset in 0..<rest {
      moveEntry(from: first + moved + offset, to: first + offset, of: right, height)
    }
    addCount(moved, to: left, height: height)
    addCount(-moved, to: right, height: height)
  }

  private mutating func transfer(
    _ moved: Int,
    fromEndOf left: Int32,
    to right: Int32,
    height: Int32
  ) {
    let width = Int(capacity(height: height))
    let first = Int(right) * width
    let rightCount = Int(count(of: right, height: height))
    for offset in (0..<rightCount).reversed() {
      moveEntry(from: first + offset, to: first + offset + moved, of: right, height)
    }
    let start = Int(left) * width + Int(count(of: left, height: height)) - moved
    for offset in 0..<moved {
      moveEntry(from: start + offset, to: first + offset, of: right, height)
    }
    addCount(-moved, to: left, height: height)
    addCount(moved, to: right, height: height)
  }

  private mutating func moveEntry(from: Int, to: Int, of node: Int32, _ height: Int32) {
    if height == 0 {
      items[to] = items[from]
      remember(items[to].owner, in: node)
    } else {
      moveChild(from: from, to: to, height: height - 1)
    }
  }

  private mutating func addCount(_ change: Int, to node: Int32, height: Int32) {
    if height == 0 {
      leafCount[Int(node)] += Int32(change)
    } else {
      innerCount[Int(node)] += Int32(change)
    }
  }
}

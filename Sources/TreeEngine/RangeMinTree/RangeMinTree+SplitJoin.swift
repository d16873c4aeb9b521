extension RangeMinTree {
  /// Joins two trees of the pool, `left` before `right`.
  ///
  /// - Complexity: O(fan-out · (difference of heights + 1)) structural work, and O(fan-out · log
  ///   *n*) to update the summaries up to the root.
  mutating func join(_ left: Root, _ right: Root) -> Root {
    if isEmpty(left) {
      free(left.node, height: 0)
      return right
    }
    if isEmpty(right) {
      free(right.node, height: 0)
      return left
    }
    if left.height == right.height { return joinLevel(left, right) }
    var root = left.height > right.height ? left : right
    if left.height > right.height {
      let spine = spineNode(of: left, height: right.height + 1, last: true)
      let end = Int(inners[Int(spine)].count)
      addChild(right.node, height: right.height, to: spine, at: end, root: &root)
      rebalance(right.node, height: right.height, root: &root)
    } else {
      let spine = spineNode(of: right, height: left.height + 1, last: false)
      addChild(left.node, height: left.height, to: spine, at: 0, root: &root)
      rebalance(left.node, height: left.height, root: &root)
    }
    return root
  }

  private mutating func joinLevel(_ left: Root, _ right: Root) -> Root {
    let height = left.height
    let leftCount = count(of: left.node, height: height)
    let rightCount = count(of: right.node, height: height)
    if leftCount + rightCount <= capacity(height: height) {
      merge(right.node, into: left.node, height: height)
      return left
    }
    if min(leftCount, rightCount) < minimumFill(height: height) {
      balance(left.node, right.node, height: height)
    }
    return makeRoot(left.node, right.node, height: height)
  }

  private func spineNode(of root: Root, height: Int32, last: Bool) -> Int32 {
    var node = root.node
    for _ in 0..<(root.height - height) {
      let places = places(of: node)
      node = children[last ? places.upperBound - 1 : places.lowerBound]
    }
    return node
  }

  /// Splits the tree that contains a leaf, before a slot of this leaf.
  ///
  /// The old root is invalid afterwards. Each result is a tree of its own and may be empty.
  ///
  /// - Complexity: O(fan-out · log *n*) structural work.
  mutating func split(leaf: Int32, slot: Int) -> (left: Root, right: Root) {
    var place = leaves[Int(leaf)].place
    leaves[Int(leaf)].place = -1
    var left = Root(node: leaf, height: 0)
    var right = Root(node: splitLeaf(leaf, keeping: slot), height: 0)
    while place >= 0 {
      let (inner, slot) = inner(at: place)
      place = inners[Int(inner)].place
      inners[Int(inner)].place = -1
      let after = splitInner(inner, keeping: slot + 1)
      inners[Int(inner)].count = Int32(slot)
      if let before = standalone(inner) { left = join(before, left) }
      if let after = standalone(after) { right = join(right, after) }
    }
    return (left, right)
  }

  /// Turns a detached inner node into a tree.
  ///
  /// Returns nil if it has no children, and the child itself if it has only one.
  private mutating func standalone(_ inner: Int32) -> Root? {
    let height = inners[Int(inner)].height
    switch inners[Int(inner)].count {
    case 0:
      free(inner, height: height)
      return nil
    case 1:
      let only = children[Int(inner) * innerFanout]
      free(inner, height: height)
      setPlace(of: only, height: height - 1, to: -1)
      return Root(node: only, height: height - 1)
    default:
      return Root(node: inner, height: height)
    }
  }

  /// Builds a tree from items in order and fills its nodes evenly.
  ///
  /// - Complexity: O(*n*).
  mutating func build(
    _ given: some RandomAccessCollection<Item>,
    passing pass: (Int) -> Void = { _ in }
  ) -> Root {
    guard !given.isEmpty else { return makeEmpty() }
    var level: [Int32] = []
    var rest = given[...]
    for size in evenParts(of: given.count, height: 0) {
      let leaf = makeLeaf()
      fill(leaf, with: rest.prefix(size))
      pass(size)
      rest = rest.dropFirst(size)
      level.append(leaf)
    }
    var height: Int32 = 0
    while level.count > 1 {
      level = buildLevel(over: level, height: height)
      height += 1
    }
    return Root(node: level[0], height: height)
  }

  /// Copies items into an empty leaf.
  private mutating func fill(_ leaf: Int32, with given: some Collection<Item>) {
    let first = Int(leaf) * leafStride
    var entries = items.mutableSpan(first..<(first + given.count))
    for (slot, item) in given.enumerated() { entries[slot] = item }
    leaves[Int(leaf)].count = Int32(given.count)
    rememberItems(of: leaf, from: 0, count: given.count)
  }

  private mutating func buildLevel(over nodes: [Int32], height: Int32) -> [Int32] {
    var level: [Int32] = []
    var next = 0
    for size in evenParts(of: nodes.count, height: height + 1) {
      let inner = makeInner(height: height + 1)
      for place in (Int(inner) * innerFanout)..<(Int(inner) * innerFanout + size) {
        children[place] = nodes[next]
        summaries[place] = summary(of: nodes[next], height: height)
        setPlace(of: nodes[next], height: height, to: place)
        next += 1
      }
      inners[Int(inner)].count = Int32(size)
      level.append(inner)
    }
    return level
  }

  /// Returns the sizes of the nodes into which `total` entries are divided.
  ///
  /// Nodes are about seven eighths full, unless that would leave one underfull.
  func evenParts(of total: Int, height: Int32) -> [Int] {
    let width = Int(capacity(height: height))
    let target = width - width / 8
    let fewest = (total + width - 1) / width
    let most = total / Int(minimumFill(height: height))
    let parts = max(fewest, min((total + target - 1) / target, most))
    return (0..<parts).map { total * ($0 + 1) / parts - total * $0 / parts }
  }
}

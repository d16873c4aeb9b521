extension RangeMinTree {
  /// Inserts an item before the given slot of a leaf (the leaf's count: after its last).
  ///
  /// - Complexity: O(fan-out · log *n*).
  mutating func insert(_ item: Item, leaf: Int32, slot: Int, root: inout Root) {
    guard leafCount[Int(leaf)] == Int32(fanout) else {
      place(item, leaf: leaf, slot: slot)
      refresh(changed: leaf)
      return
    }
    let right = splitLeaf(leaf, keeping: fanout / 2)
    let kept = Int(leafCount[Int(leaf)])
    if slot <= kept {
      place(item, leaf: leaf, slot: slot)
    } else {
      place(item, leaf: right, slot: slot - kept)
    }
    attach(right, after: leaf, height: 0, root: &root)
    refresh(from: leaf, height: 0)
    refresh(from: right, height: 0)
  }

  /// Appends an item at the end of a tree.
  ///
  /// - Complexity: O(fan-out · log *n*).
  mutating func append(_ item: Item, to root: inout Root) {
    var node = root.node
    for _ in 0..<root.height {
      node = children[Int(node) * innerFanout + Int(innerCount[Int(node)]) - 1]
    }
    insert(item, leaf: node, slot: Int(leafCount[Int(node)]), root: &root)
  }

  private mutating func place(_ item: Item, leaf: Int32, slot: Int) {
    let first = Int(leaf) * fanout
    var place = first + Int(leafCount[Int(leaf)])
    while place > first + slot {
      items[place] = items[place - 1]
      place -= 1
    }
    items[place] = item
    leafCount[Int(leaf)] += 1
    remember(item.owner, in: leaf)
  }

  /// Moves a leaf's items from `kept` on to a new leaf that hangs nowhere yet.
  mutating func splitLeaf(_ leaf: Int32, keeping kept: Int) -> Int32 {
    let right = makeLeaf()
    let count = Int(leafCount[Int(leaf)])
    for offset in kept..<max(kept, count) {
      let item = items[Int(leaf) * fanout + offset]
      items[Int(right) * fanout + offset - kept] = item
      remember(item.owner, in: right)
    }
    leafCount[Int(leaf)] = Int32(kept)
    leafCount[Int(right)] = Int32(count - kept)
    return right
  }

  /// Moves an inner node's children from `kept` on to a new inner node that hangs nowhere yet.
  mutating func splitInner(_ inner: Int32, keeping kept: Int) -> Int32 {
    let height = innerHeight[Int(inner)]
    let right = makeInner(height: height)
    let count = Int(innerCount[Int(inner)])
    for offset in kept..<max(kept, count) {
      moveChild(
        from: Int(inner) * innerFanout + offset,
        to: Int(right) * innerFanout + offset - kept,
        height: height - 1
      )
    }
    innerCount[Int(inner)] = Int32(kept)
    innerCount[Int(right)] = Int32(count - kept)
    return right
  }

  /// Moves a child of a height to another place.
  mutating func moveChild(from: Int, to: Int, height: Int32) {
    children[to] = children[from]
    summaries[to] = summaries[from]
    setPlace(of: children[to], height: height, to: to)
  }

  /// Hangs a new node after its left neighbour, splitting upwards as needed, and makes a new root
  /// where the neighbour was one.
  mutating func attach(_ node: Int32, after left: Int32, height: Int32, root: inout Root) {
    let place = place(of: left, height: height)
    if place < 0 {
      root = makeRoot(left, node, height: height)
    } else {
      summaries[Int(place)] = summary(of: left, height: height)
      let (up, slot) = inner(at: place)
      addChild(node, height: height, to: up, at: slot + 1, root: &root)
    }
  }

  mutating func makeRoot(_ left: Int32, _ right: Int32, height: Int32) -> Root {
    let inner = makeInner(height: height + 1)
    insertChild(left, height: height, into: inner, at: 0)
    insertChild(right, height: height, into: inner, at: 1)
    return Root(node: inner, height: height + 1)
  }

  /// Gives an inner node one more child, splitting it when it is full.
  ///
  /// The summaries above are left to the caller's ``refresh(from:height:)``.
  mutating func addChild(
    _ node: Int32,
    height: Int32,
    to inner: Int32,
    at slot: Int,
    root: inout Root
  ) {
    guard innerCount[Int(inner)] == Int32(innerFanout) else {
      insertChild(node, height: height, into: inner, at: slot)
      return
    }
    let right = splitInner(inner, keeping: innerFanout / 2)
    let kept = Int(innerCount[Int(inner)])
    if slot <= kept {
      insertChild(node, height: height, into: inner, at: slot)
    } else {
      insertChild(node, height: height, into: right, at: slot - kept)
    }
    attach(right, after: inner, height: height + 1, root: &root)
  }

  private mutating func insertChild(
    _ node: Int32,
    height: Int32,
    into inner: Int32,
    at slot: Int
  ) {
    let first = Int(inner) * innerFanout
    var place = first + Int(innerCount[Int(inner)])
    while place > first + slot {
      moveChild(from: place - 1, to: place, height: height)
      place -= 1
    }
    children[place] = node
    summaries[place] = summary(of: node, height: height)
    innerCount[Int(inner)] += 1
    setPlace(of: node, height: height, to: place)
  }
}

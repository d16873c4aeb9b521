extension RangeMinTree {
  /// Inserts one or two items before a slot of a leaf.
  ///
  /// The slot may equal the leaf's count.
  ///
  /// - Complexity: O(fan-out · log *n*).
  mutating func insert(
    _ item: Item,
    followedBy second: Item? = nil,
    leaf: Int32,
    slot: Int,
    root: inout Root
  ) {
    let added = second == nil ? 1 : 2
    let total = count(ofLeaf: leaf) + added
    guard total > fanout else {
      place(item, second, leaf: leaf, slot: slot)
      refresh(changed: leaf)
      return
    }
    let half = total / 2
    let right: Int32
    if slot < half {
      right = splitLeaf(leaf, keeping: max(slot, half - added))
      place(item, second, leaf: leaf, slot: slot)
    } else {
      right = splitLeaf(leaf, keeping: half)
      place(item, second, leaf: right, slot: slot - half)
    }
    attach(right, after: leaf, height: 0, root: &root)
    // The split has set the summaries of both halves, but not those above their parent.
    refresh(from: inner(at: leaves[Int(leaf)].place).node, height: 1)
  }

  /// Inserts an item before another item whose step was changed to offset the new one.
  ///
  /// Both together have the sum that the other item had before. So only the running sum of the new
  /// item is new, and the summaries of the items behind it are not read.
  ///
  /// - Complexity: O(fan-out · log *n*).
  mutating func insertBalanced(_ item: Item, leaf: Int32, slot: Int, root: inout Root) {
    guard count(ofLeaf: leaf) < fanout else {
      insert(item, leaf: leaf, slot: slot, root: &root)
      return
    }
    place(item, nil, leaf: leaf, slot: slot)
    include(item.summary, leaf: leaf, slot: slot)
  }

  /// Adds a new item to the summaries above its leaf.
  ///
  /// The item must change no running sum but its own.
  private mutating func include(_ item: Summary, leaf: Int32, slot: Int) {
    var place = leaves[Int(leaf)].place
    guard place >= 0 else { return }
    var run = item
    run.minimum &+= sum(before: slot, inLeaf: leaf)
    while place >= 0 {
      let isLeast = summaries[Int(place)].include(run)
      let (up, slot) = inner(at: place)
      // A run that is not the minimum here is not the minimum of any larger run either.
      guard isLeast else { return addCount(run.count, above: up) }
      run.minimum &+= sum(before: slot, inInner: up)
      place = inners[Int(up)].place
    }
  }

  private func sum(before slot: Int, inLeaf leaf: Int32) -> Int32 {
    let entries = entries(of: leaf)
    var sum: Int32 = 0
    for slot in 0..<slot { sum &+= entries[slot].summary.sum }
    return sum
  }

  private func sum(before slot: Int, inInner inner: Int32) -> Int32 {
    let entries = summaries.span(places(of: inner))
    var sum: Int32 = 0
    for slot in 0..<slot { sum &+= entries[slot].sum }
    return sum
  }

  /// Appends an item at the end of a tree.
  ///
  /// - Complexity: O(fan-out · log *n*).
  mutating func append(_ item: Item, to root: inout Root) {
    var node = root.node
    for _ in 0..<root.height {
      node = children[places(of: node).upperBound - 1]
    }
    insert(item, leaf: node, slot: count(ofLeaf: node), root: &root)
  }

  private mutating func place(_ item: Item, _ second: Item?, leaf: Int32, slot: Int) {
    let added = second == nil ? 1 : 2
    let first = Int(leaf) * leafStride
    let count = count(ofLeaf: leaf)
    items.copy((first + slot)..<(first + count), to: first + slot + added)
    items[first + slot] = item
    remember(item.owner, in: leaf)
    if let second {
      items[first + slot + 1] = second
      remember(second.owner, in: leaf)
    }
    leaves[Int(leaf)].count = Int32(count + added)
  }

  /// Moves a leaf's items from slot `kept` on to a new leaf that has no parent yet.
  mutating func splitLeaf(_ leaf: Int32, keeping kept: Int) -> Int32 {
    let right = makeLeaf()
    let count = count(ofLeaf: leaf)
    let first = Int(leaf) * leafStride
    items.copy((first + kept)..<(first + count), to: Int(right) * leafStride)
    rememberItems(of: right, from: 0, count: count - kept)
    leaves[Int(leaf)].count = Int32(kept)
    leaves[Int(right)].count = Int32(count - kept)
    return right
  }

  /// Moves an inner node's children from slot `kept` on to a new inner node without a parent.
  mutating func splitInner(_ inner: Int32, keeping kept: Int) -> Int32 {
    let height = inners[Int(inner)].height
    let right = makeInner(height: height)
    let places = places(of: inner)
    let moved = (places.lowerBound + min(kept, places.count))..<places.upperBound
    moveChildren(moved, to: Int(right) * innerFanout, height: height - 1)
    inners[Int(inner)].count = Int32(kept)
    inners[Int(right)].count = Int32(moved.count)
    return right
  }

  /// Moves nodes of the given height to other places of `children`.
  mutating func moveChildren(_ places: Range<Int>, to first: Int, height: Int32) {
    children.copy(places, to: first)
    summaries.copy(places, to: first)
    for place in first..<(first + places.count) {
      setPlace(of: children[place], height: height, to: place)
    }
  }

  /// Links a new node behind its left neighbour and splits ancestors as needed.
  ///
  /// If the neighbour was a root, makes a new root above both.
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

  /// Adds a child to an inner node and splits the node if it is full.
  ///
  /// The caller updates the summaries above with ``refresh(from:height:)``.
  mutating func addChild(
    _ node: Int32,
    height: Int32,
    to inner: Int32,
    at slot: Int,
    root: inout Root
  ) {
    guard inners[Int(inner)].count == Int32(innerFanout) else {
      insertChild(node, height: height, into: inner, at: slot)
      return
    }
    let right = splitInner(inner, keeping: innerFanout / 2)
    let kept = Int(inners[Int(inner)].count)
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
    let places = places(of: inner)
    let place = places.lowerBound + slot
    moveChildren(place..<places.upperBound, to: place + 1, height: height)
    children[place] = node
    summaries[place] = summary(of: node, height: height)
    inners[Int(inner)].count += 1
    setPlace(of: node, height: height, to: place)
  }
}

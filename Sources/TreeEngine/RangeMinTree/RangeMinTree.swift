/// A dynamic range-min-max tree: a sequence of items in a B+tree.
///
/// Inner nodes store the ``Summary`` of each child. The engine computes all counts from these.
///
/// A value of this type is a pool of nodes. It can hold several trees, each named by a ``Root``. A
/// range can be cut out of a tree and kept or inserted elsewhere in O(log *n*)
/// (``split(leaf:slot:)``, ``join(_:_:)``). Nodes are rows of arrays indexed by `Int32`, so no node
/// is allocated or reference counted by itself. No row crosses the border of a chunk.
/// `leafOf[item.owner]` is the leaf of an item. Its position is found by walking up from there.
struct RangeMinTree<Item: RangeMinItem, Width: NodeWidth>: Sendable {
  /// A name of one tree of the pool: a leaf if `height` is 0, otherwise an inner node.
  struct Root: Equatable, Sendable {
    var node: Int32
    var height: Int32
  }

  /// The position of an item, with the summary of everything before it.
  struct Cursor: Sendable {
    var leaf: Int32
    var slot: Int
    /// The summary of all items before this one.
    var prefix: Summary
  }

  /// The stored data of a leaf besides its items.
  struct Leaf: BitwiseCopyable {
    var count: Int32 = 0
    /// The index in `children`, or -1 for a root.
    ///
    /// For a free leaf: the next free leaf.
    var place: Int32 = -1
  }

  /// The stored data of an inner node besides its children.
  struct Inner: BitwiseCopyable {
    var count: Int32 = 0
    /// The same as ``Leaf/place``.
    var place: Int32 = -1
    var height: Int32
  }

  private let anchor = Item.Anchor()

  // Leaf `l` holds items[l * leafStride ..< l * leafStride + leaves[l].count].
  var items = ChunkedArray<Item, Width>()
  var leaves = ChunkedArray<Leaf, Width>()
  /// The head of the list of free leaves, or -1.
  private(set) var freeLeaf: Int32 = -1

  // Inner node `n` holds children and summaries
  // [n * innerFanout ..< n * innerFanout + inners[n].count].
  var children = ChunkedArray<Int32, Width>()
  var summaries = ChunkedArray<Summary, Width>()
  var inners = ChunkedArray<Inner, Width>()
  private(set) var freeInner: Int32 = -1

  /// The leaf of each owner's item, or -1 while the item is in no tree.
  var leafOf = ChunkedArray<Int32, Width>()

  var fanout: Int { Width.fanout }
  var leafStride: Int { Width.leafStride }
  var innerFanout: Int { Width.innerFanout }

  init() { precondition(fanout >= 4, "a fan-out below 4 cannot be halved") }

  /// The number of entries that a node of the given height has room for.
  func capacity(height: Int32) -> Int32 { Int32(height == 0 ? fanout : innerFanout) }

  /// The least number of entries of a node that is not a root.
  func minimumFill(height: Int32) -> Int32 { capacity(height: height) / 2 }

  /// Makes an empty tree.
  mutating func makeEmpty() -> Root { Root(node: makeLeaf(), height: 0) }

  func isEmpty(_ root: Root) -> Bool { root.height == 0 && leaves[Int(root.node)].count == 0 }

  /// The item in a slot of a leaf.
  ///
  /// The caller refreshes the summaries above after a change.
  subscript(leaf: Int32, slot: Int) -> Item {
    get { items[Int(leaf) * leafStride + slot] }
    _modify { yield &items[Int(leaf) * leafStride + slot] }
  }

  func item(_ cursor: Cursor) -> Item { self[cursor.leaf, cursor.slot] }

  /// The summary of a whole tree.
  ///
  /// - Complexity: O(fan-out).
  func summary(of root: Root) -> Summary { summary(of: root.node, height: root.height) }

  func summary(of node: Int32, height: Int32) -> Summary {
    var total = Summary.zero
    if height == 0 {
      let entries = entries(of: node)
      for slot in entries.indices { add(entries[slot].summary, to: &total) }
    } else {
      let entries = summaries.span(places(of: node))
      for slot in entries.indices { add(entries[slot], to: &total) }
    }
    return total
  }

  /// Adds the summary of the next run to a total, without the minimum if items are only counted.
  @inline(__always)
  func add(_ summary: Summary, to total: inout Summary) {
    if Item.isOnlyCounted {
      total.count &+= summary.count
      total.sum &+= summary.sum
    } else {
      total += summary
    }
  }

  // MARK: Nodes

  func count(of node: Int32, height: Int32) -> Int32 {
    height == 0 ? leaves[Int(node)].count : inners[Int(node)].count
  }

  func count(ofLeaf leaf: Int32) -> Int { Int(leaves[Int(leaf)].count) }

  /// The items of a leaf.
  @inline(__always)
  @_lifetime(borrow self)
  func entries(of leaf: Int32) -> Span<Item> {
    let first = Int(leaf) * leafStride
    return items.span(first..<(first + count(ofLeaf: leaf)))
  }

  /// The range of an inner node's children in `children`.
  @inline(__always)
  func places(of inner: Int32) -> Range<Int> {
    let first = Int(inner) * innerFanout
    return first..<(first + Int(inners[Int(inner)].count))
  }

  /// The summaries of an inner node's places, including unused ones.
  @inline(__always)
  @_lifetime(borrow self)
  func row(of inner: Int32) -> Span<Summary> {
    let first = Int(inner) * innerFanout
    return summaries.span(first..<(first + innerFanout))
  }

  /// Returns the index of a node in `children`, or -1 for a root.
  func place(of node: Int32, height: Int32) -> Int32 {
    height == 0 ? leaves[Int(node)].place : inners[Int(node)].place
  }

  mutating func setPlace(of node: Int32, height: Int32, to place: Int) {
    if height == 0 {
      leaves[Int(node)].place = Int32(place)
    } else {
      inners[Int(node)].place = Int32(place)
    }
  }

  /// Returns the inner node that a place belongs to, and the slot in that node.
  func inner(at place: Int32) -> (node: Int32, slot: Int) {
    let (node, slot) = Int(place).quotientAndRemainder(dividingBy: innerFanout)
    return (Int32(node), slot)
  }

  /// Returns the tree that a leaf belongs to.
  ///
  /// - Complexity: O(log *n*).
  func root(of leaf: Int32) -> Root {
    var root = Root(node: leaf, height: 0)
    var place = leaves[Int(leaf)].place
    while place >= 0 {
      root = Root(node: inner(at: place).node, height: root.height + 1)
      place = inners[Int(root.node)].place
    }
    return root
  }

  mutating func makeLeaf() -> Int32 {
    if freeLeaf >= 0 {
      let leaf = freeLeaf
      freeLeaf = leaves[Int(leaf)].place
      leaves[Int(leaf)].place = -1
      return leaf
    }
    let leaf = Int32(leaves.count)
    leaves.append(Leaf())
    items.append(Item.filler, times: leafStride)
    return leaf
  }

  mutating func makeInner(height: Int32) -> Int32 {
    if freeInner >= 0 {
      let inner = freeInner
      freeInner = inners[Int(inner)].place
      inners[Int(inner)] = Inner(height: height)
      return inner
    }
    let inner = Int32(inners.count)
    inners.append(Inner(height: height))
    children.append(-1, times: innerFanout)
    summaries.append(.zero, times: innerFanout)
    return inner
  }

  mutating func free(_ node: Int32, height: Int32) {
    if height == 0 {
      leaves[Int(node)] = Leaf(count: 0, place: freeLeaf)
      freeLeaf = node
    } else {
      inners[Int(node)] = Inner(count: 0, place: freeInner, height: height)
      freeInner = node
    }
  }

  /// Frees all nodes of a tree and clears `leafOf` of its items.
  ///
  /// - Complexity: O(*n*) in the items of that tree.
  mutating func release(_ root: Root, passing pass: (Int) -> Void = { _ in }) {
    var pending = [root]
    while let next = pending.popLast() {
      if next.height == 0 {
        pass(Int(count(ofLeaf: next.node)))
        for slot in 0..<count(ofLeaf: next.node) { forget(self[next.node, slot].owner) }
      } else {
        for place in places(of: next.node) {
          pending.append(Root(node: children[place], height: next.height - 1))
        }
      }
      free(next.node, height: next.height)
    }
  }

  // MARK: Owners

  mutating func remember(_ owner: Int32, in leaf: Int32) {
    guard owner >= 0 else { return }
    if Int(owner) < leafOf.count {
      leafOf[Int(owner)] = leaf
    } else {
      let missing = Int(owner) - leafOf.count
      if missing > 0 { leafOf.append(-1, times: missing) }
      leafOf.append(leaf)
    }
  }

  /// Records in `leafOf` that `count` items, from a slot on, are in this leaf.
  mutating func rememberItems(of leaf: Int32, from slot: Int, count: Int) {
    let first = Int(leaf) * leafStride + slot
    for place in first..<(first + count) { remember(items[place].owner, in: leaf) }
  }

  mutating func forget(_ owner: Int32) {
    if owner >= 0 { leafOf[Int(owner)] = -1 }
  }

  /// Updates the summaries above a leaf whose items changed.
  ///
  /// Most insertions and removals change only the count. Then the difference is added on the way up
  /// and no other summary is read.
  ///
  /// - Precondition: The summaries above are correct except for the change of this leaf.
  /// - Complexity: O(fan-out · log *n*).
  mutating func refresh(changed leaf: Int32) {
    let place = leaves[Int(leaf)].place
    guard place >= 0 else { return }
    let old = summaries[Int(place)]
    let new = summary(of: leaf, height: 0)
    summaries[Int(place)] = new
    let up = inner(at: place).node
    if old.differsOnlyInCount(from: new) {
      addCount(new.count - old.count, above: up)
    } else {
      refresh(from: up, height: 1)
    }
  }

  /// Adds to the counts of all summaries above an inner node.
  mutating func addCount(_ change: Int32, above inner: Int32) {
    guard change != 0 else { return }
    var place = inners[Int(inner)].place
    while place >= 0 {
      summaries[Int(place)].count += change
      place = inners[Int(self.inner(at: place).node)].place
    }
  }

  /// Recomputes the summaries from a node up to its root.
  ///
  /// - Complexity: O(fan-out · log *n*).
  mutating func refresh(from node: Int32, height: Int32) {
    var node = node
    var height = height
    while case let place = place(of: node, height: height), place >= 0 {
      summaries[Int(place)] = summary(of: node, height: height)
      node = inner(at: place).node
      height += 1
    }
  }
}

/// The dynamic range-min-max tree: a sequence of items in a B+tree.
///
/// Its inner nodes carry the ``Summary`` of each child. Everything the engine counts is counted
/// here.
///
/// One value is a pool of nodes that can hold several trees at once, each named by a ``Root``, so
/// that a stretch can be cut out of one tree and kept, or pasted elsewhere, in O(log *n*)
/// (``split(_:at:)``, ``join(_:_:)``). Nodes are rows of flat arrays indexed by `Int32`; nothing is
/// allocated per node and nothing is reference counted. Each item knows its leaf through
/// `leafOf[item.owner]`, so that its position is a walk up.
///
/// `fanout` is a parameter so that tests run with 4 (three levels from twenty items) and the
/// product with 64.
struct RangeMinTree<Item: RangeMinItem, Width: NodeWidth>: Sendable {
  /// Names one tree of the pool: a leaf when `height` is 0, else an inner node.
  struct Root: Equatable, Sendable {
    var node: Int32
    var height: Int32
  }

  /// Where an item is, and what stands before it.
  struct Cursor: Sendable {
    var leaf: Int32
    var slot: Int
    /// The summary of all items before this one.
    var prefix: Summary
  }

  // Leaf `l` holds items[l * fanout ..< l * fanout + leafCount[l]].
  var items: [Item] = []
  var leafCount: [Int32] = []
  /// Where a leaf hangs: its place in `children`; -1 for a root.
  var leafPlace: [Int32] = []
  var freeLeaves: [Int32] = []

  // Inner node `n` holds children and summaries
  // [n * innerFanout ..< n * innerFanout + innerCount[n]].
  var children: [Int32] = []
  var summaries: [Summary] = []
  var innerCount: [Int32] = []
  /// Where an inner node hangs: its place in `children`; -1 for a root.
  var innerPlace: [Int32] = []
  var innerHeight: [Int32] = []
  var freeInners: [Int32] = []

  /// The leaf of each owner's item; -1 while it is in no tree.
  var leafOf: [Int32] = []

  var fanout: Int { Width.fanout }
  var innerFanout: Int { Width.innerFanout }

  init() { precondition(fanout >= 4, "a fan-out below 4 cannot be halved") }

  /// How many entries a node of a height has room for.
  func capacity(height: Int32) -> Int32 { Int32(height == 0 ? fanout : innerFanout) }

  /// A node with fewer entries than this, unless it is a root, is merged or filled up.
  func minimumFill(height: Int32) -> Int32 { capacity(height: height) / 2 }

  /// Makes a tree without items.
  mutating func makeEmpty() -> Root { Root(node: makeLeaf(), height: 0) }

  func isEmpty(_ root: Root) -> Bool { root.height == 0 && leafCount[Int(root.node)] == 0 }

  /// The item in a slot of a leaf.
  ///
  /// Whoever changes one refreshes the summaries above.
  subscript(leaf: Int32, slot: Int) -> Item {
    get { items[Int(leaf) * fanout + slot] }
    set { items[Int(leaf) * fanout + slot] = newValue }
  }

  func item(_ cursor: Cursor) -> Item { self[cursor.leaf, cursor.slot] }

  /// The summary of a whole tree.
  ///
  /// - Complexity: O(fan-out).
  func summary(of root: Root) -> Summary { summary(of: root.node, height: root.height) }

  func summary(of node: Int32, height: Int32) -> Summary {
    var total = Summary.zero
    if height == 0 {
      let first = Int(node) * fanout
      let entries = items.span.extracting(first..<(first + Int(leafCount[Int(node)])))
      for slot in entries.indices { add(entries[slot].summary, to: &total) }
    } else {
      let first = Int(node) * innerFanout
      let entries = summaries.span.extracting(first..<(first + Int(innerCount[Int(node)])))
      for slot in entries.indices { add(entries[slot], to: &total) }
    }
    return total
  }

  /// Adds what follows to the summary of what stands before.
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
    height == 0 ? leafCount[Int(node)] : innerCount[Int(node)]
  }

  /// Where a node hangs: its place in `children`, or -1.
  func place(of node: Int32, height: Int32) -> Int32 {
    height == 0 ? leafPlace[Int(node)] : innerPlace[Int(node)]
  }

  mutating func setPlace(of node: Int32, height: Int32, to place: Int) {
    if height == 0 {
      leafPlace[Int(node)] = Int32(place)
    } else {
      innerPlace[Int(node)] = Int32(place)
    }
  }

  /// The inner node that a place belongs to, and which of its children stands there.
  func inner(at place: Int32) -> (node: Int32, slot: Int) {
    let (node, slot) = Int(place).quotientAndRemainder(dividingBy: innerFanout)
    return (Int32(node), slot)
  }

  /// The tree that a leaf belongs to.
  ///
  /// - Complexity: O(log *n*).
  func root(of leaf: Int32) -> Root {
    var root = Root(node: leaf, height: 0)
    var place = leafPlace[Int(leaf)]
    while place >= 0 {
      root = Root(node: inner(at: place).node, height: root.height + 1)
      place = innerPlace[Int(root.node)]
    }
    return root
  }

  mutating func makeLeaf() -> Int32 {
    if let leaf = freeLeaves.popLast() { return leaf }
    let leaf = Int32(leafCount.count)
    leafCount.append(0)
    leafPlace.append(-1)
    items.append(contentsOf: repeatElement(Item.filler, count: fanout))
    return leaf
  }

  mutating func makeInner(height: Int32) -> Int32 {
    if let inner = freeInners.popLast() {
      innerHeight[Int(inner)] = height
      return inner
    }
    let inner = Int32(innerCount.count)
    innerCount.append(0)
    innerPlace.append(-1)
    innerHeight.append(height)
    children.append(contentsOf: repeatElement(-1, count: innerFanout))
    summaries.append(contentsOf: repeatElement(.zero, count: innerFanout))
    return inner
  }

  mutating func free(_ node: Int32, height: Int32) {
    setPlace(of: node, height: height, to: -1)
    if height == 0 {
      leafCount[Int(node)] = 0
      freeLeaves.append(node)
    } else {
      innerCount[Int(node)] = 0
      freeInners.append(node)
    }
  }

  /// Gives back a whole tree's nodes and forgets the leaves of its items.
  ///
  /// - Complexity: O(*n*) in the items of that tree.
  mutating func release(_ root: Root) {
    var pending = [root]
    while let next = pending.popLast() {
      if next.height == 0 {
        let first = Int(next.node) * fanout
        for place in first..<(first + Int(leafCount[Int(next.node)])) {
          forget(items[place].owner)
        }
      } else {
        let first = Int(next.node) * innerFanout
        for place in first..<(first + Int(innerCount[Int(next.node)])) {
          pending.append(Root(node: children[place], height: next.height - 1))
        }
      }
      free(next.node, height: next.height)
    }
  }

  // MARK: Owners

  mutating func remember(_ owner: Int32, in leaf: Int32) {
    guard owner >= 0 else { return }
    let missing = Int(owner) + 1 - leafOf.count
    if missing > 0 { leafOf.append(contentsOf: repeatElement(-1, count: missing)) }
    leafOf[Int(owner)] = leaf
  }

  mutating func forget(_ owner: Int32) {
    if owner >= 0 { leafOf[Int(owner)] = -1 }
  }

  /// Takes note that a leaf's items changed, the summaries above being right but for that.
  ///
  /// Where only the count differs, as it does for most items that come or go, the difference is
  /// added on the way up; nothing else is looked at.
  ///
  /// - Complexity: O(fan-out · log *n*).
  mutating func refresh(changed leaf: Int32) {
    let place = leafPlace[Int(leaf)]
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

  /// Adds to how many positions the nodes above an inner node cover.
  mutating func addCount(_ change: Int32, above inner: Int32) {
    guard change != 0 else { return }
    var place = innerPlace[Int(inner)]
    while place >= 0 {
      summaries[Int(place)].count += change
      place = innerPlace[Int(self.inner(at: place).node)]
    }
  }

  /// Recomputes the summaries on the way from a node to its root.
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

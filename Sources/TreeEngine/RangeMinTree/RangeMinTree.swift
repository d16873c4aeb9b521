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
  var leafParent: [Int32] = []
  var freeLeaves: [Int32] = []

  // Inner node `n` holds children and summaries [n * fanout ..< n * fanout + innerCount[n]].
  var children: [Int32] = []
  var summaries: [Summary] = []
  var innerCount: [Int32] = []
  var innerParent: [Int32] = []
  var innerHeight: [Int32] = []
  var freeInners: [Int32] = []

  /// The leaf of each owner's item; -1 while it is in no tree.
  var leafOf: [Int32] = []

  var fanout: Int { Width.fanout }

  init() { precondition(fanout >= 4, "a fan-out below 4 cannot be halved") }

  /// A node with fewer entries than this, unless it is a root, is merged or filled up.
  var minimumFill: Int32 { Int32(fanout / 2) }

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
    let first = Int(node) * fanout
    let places = first..<(first + Int(count(of: node, height: height)))
    if height == 0 {
      let entries = items.span.extracting(places)
      for slot in entries.indices { total += entries[slot].summary }
    } else {
      let entries = summaries.span.extracting(places)
      for slot in entries.indices { total += entries[slot] }
    }
    return total
  }

  // MARK: Nodes

  func count(of node: Int32, height: Int32) -> Int32 {
    height == 0 ? leafCount[Int(node)] : innerCount[Int(node)]
  }

  func parent(of node: Int32, height: Int32) -> Int32 {
    height == 0 ? leafParent[Int(node)] : innerParent[Int(node)]
  }

  mutating func setParent(of node: Int32, height: Int32, to parent: Int32) {
    if height == 0 { leafParent[Int(node)] = parent } else { innerParent[Int(node)] = parent }
  }

  /// Which child of `parent` the node is.
  func slot(of node: Int32, in parent: Int32) -> Int {
    let first = Int(parent) * fanout
    let entries = children.span.extracting(first..<(first + Int(innerCount[Int(parent)])))
    for slot in entries.indices where entries[slot] == node { return slot }
    preconditionFailure("a node does not hang where it says")
  }

  mutating func makeLeaf() -> Int32 {
    if let leaf = freeLeaves.popLast() { return leaf }
    let leaf = Int32(leafCount.count)
    leafCount.append(0)
    leafParent.append(-1)
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
    innerParent.append(-1)
    innerHeight.append(height)
    children.append(contentsOf: repeatElement(-1, count: fanout))
    summaries.append(contentsOf: repeatElement(.zero, count: fanout))
    return inner
  }

  mutating func free(_ node: Int32, height: Int32) {
    setParent(of: node, height: height, to: -1)
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
      let first = Int(next.node) * fanout
      if next.height == 0 {
        for place in first..<(first + Int(leafCount[Int(next.node)])) {
          forget(items[place].owner)
        }
      } else {
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
    while leafOf.count <= Int(owner) { leafOf.append(-1) }
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
    let up = leafParent[Int(leaf)]
    guard up >= 0 else { return }
    let place = Int(up) * fanout + slot(of: leaf, in: up)
    let old = summaries[place]
    let new = summary(of: leaf, height: 0)
    summaries[place] = new
    if old.differsOnlyInCount(from: new) {
      addCount(new.count - old.count, above: up)
    } else {
      refresh(from: up, height: 1)
    }
  }

  private mutating func addCount(_ change: Int32, above inner: Int32) {
    guard change != 0 else { return }
    var node = inner
    while case let up = innerParent[Int(node)], up >= 0 {
      summaries[Int(up) * fanout + slot(of: node, in: up)].count += change
      node = up
    }
  }

  /// Recomputes the summaries on the way from a node to its root.
  ///
  /// - Complexity: O(fan-out · log *n*).
  mutating func refresh(from node: Int32, height: Int32) {
    var node = node
    var height = height
    while true {
      let up = parent(of: node, height: height)
      guard up >= 0 else { return }
      summaries[Int(up) * fanout + slot(of: node, in: up)] = summary(of: node, height: height)
      node = up
      height += 1
    }
  }
}

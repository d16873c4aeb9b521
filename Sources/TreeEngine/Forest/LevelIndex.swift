/// The entries of a forest down to a depth, counted: what the rule *expanded down to depth n*
/// shows.
///
/// A range-min-max tree counts the least depth of a range, not the number of entries above some
/// depth; where a view's rule asks for that, the entries concerned are held in a sequence of their
/// own. One index serves all views of the tree that have the same rule.
struct LevelIndex<Width: NodeWidth>: Sendable {
  /// An entry that is only counted.
  struct Member: RangeMinItem {
    var owner: Int32
    var summary: Summary { Summary(count: 1, sum: 0, minimum: 0, minimumCount: 1) }
    static var filler: Member { Member(owner: -1) }
  }

  /// The deepest entries held; 0 is the forest root's depth.
  let deepest: Int32
  private var members = RangeMinTree<Member, Width>()
  private var root: RangeMinTree<Member, Width>.Root

  /// - Complexity: O(*n*) in the entries of the forest.
  init(deepest: Int32, of forest: borrowing Forest<Width>) {
    self.deepest = deepest
    var found: [Member] = []
    var next: Forest<Width>.Place? = forest.place(at: 0)
    while let place = next {
      if place.depth <= deepest { found.append(Member(owner: forest.node(at: place).index)) }
      next = place.depth < deepest ? forest.next(place) : forest.afterSubtree(place)
    }
    root = members.build(found)
  }

  /// Entries held that stand before a position of the forest.
  ///
  /// - Complexity: O(log *n*).
  func count(before position: Int32, in forest: borrowing Forest<Width>) -> Int32 {
    guard position > 0 else { return 0 }
    let last = forest.last(before: position, notDeeperThan: deepest)
    let (leaf, slot) = members.slot(ofOwner: last.index)
    return members.rank(leaf: leaf, slot: slot).count + 1
  }

  /// The node of the `index`-th entry held.
  func node(at index: Int32) -> NodeID {
    let (leaf, slot, _) = members.locate(index, in: root)
    return NodeID(members[leaf, slot].owner)
  }

  /// Takes in the entries of a subtree that was just linked.
  ///
  /// - Complexity: O(*k* log *n*) for *k* entries held of it.
  mutating func add(subtreeOf node: NodeID, in forest: borrowing Forest<Width>) {
    let top = forest.place(of: node)
    var index = count(before: top.position, in: forest)
    visit(top, in: forest) { members, root, node in
      let (leaf, slot, _) = members.locate(index - 1, in: root)
      members.insert(Member(owner: node.index), leaf: leaf, slot: slot + 1, root: &root)
      index += 1
    }
  }

  /// Lets go of the entries of a subtree that is about to be cut out.
  ///
  /// - Complexity: O(*k* log *n*) for *k* entries held of it.
  mutating func remove(subtreeOf node: NodeID, in forest: borrowing Forest<Width>) {
    visit(forest.place(of: node), in: forest) { members, root, node in
      let (leaf, slot) = members.slot(ofOwner: node.index)
      members.remove(leaf: leaf, slot: slot, root: &root)
    }
  }

  private mutating func visit(
    _ top: Forest<Width>.Place,
    in forest: borrowing Forest<Width>,
    _ body: (inout RangeMinTree<Member, Width>, inout RangeMinTree<Member, Width>.Root, NodeID) ->
      Void
  ) {
    guard top.depth <= deepest else { return }
    let end = forest.subtreeEnd(top)
    var next: Forest<Width>.Place? = top
    while let place = next, place.position < end {
      body(&members, &root, forest.node(at: place))
      next = place.depth < deepest ? forest.next(place) : forest.afterSubtree(place)
    }
  }

  /// Compares with a fresh index; for tests.
  func checkInvariants(in forest: borrowing Forest<Width>) {
    members.checkInvariants(of: root)
    let fresh = LevelIndex(deepest: deepest, of: forest)
    let count = members.summary(of: root).count
    precondition(count == fresh.members.summary(of: fresh.root).count, "a level index lost count")
    for index in 0..<count {
      precondition(node(at: index) == fresh.node(at: index), "a level index is out of order")
    }
  }
}

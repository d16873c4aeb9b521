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

  /// - Complexity: O(*k*) in the entries held, of which each may lie in another leaf of the forest.
  init(deepest: Int32, of forest: borrowing Forest<Width>) {
    self.deepest = deepest
    var all: [Member] = []
    forest.sequence.forEachItem(in: forest.root, withSumAtMost: deepest) { entry in
      all.append(Member(owner: entry.owner))
    }
    root = members.build(all)
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

  /// Follows the nodes to their new ids.
  ///
  /// - Complexity: O(*k*) for *k* entries held.
  mutating func renumber(_ new: NodeRenumbering) {
    root = members.compact(root) { $0.owner = new.of(NodeID($0.owner)).index }
  }

  /// Takes in the entries of subtrees that were just linked side by side.
  ///
  /// - Complexity: O(*k* + log *n*) for *k* entries held of them.
  mutating func add(from position: Int32, count: Int32, in forest: borrowing Forest<Width>) {
    let new = found(from: forest.place(at: position), to: position + count, in: forest)
    guard !new.isEmpty else { return }
    let before = self.count(before: position, in: forest)
    let (leaf, slot, _) = members.locate(before - 1, in: root)
    guard new.count > 1 else {
      return members.insert(new[0], leaf: leaf, slot: slot + 1, root: &root)
    }
    let (left, right) = members.split(leaf: leaf, slot: slot + 1)
    root = members.join(members.join(left, members.build(new)), right)
  }

  /// Lets go of the entries of subtrees side by side that are about to be cut out.
  ///
  /// - Complexity: O(*k* + log *n*) for *k* entries held of them.
  mutating func remove(
    from place: Forest<Width>.Place,
    to end: Int32,
    in forest: borrowing Forest<Width>
  ) {
    guard place.depth <= deepest else { return }
    let before = count(before: place.position, in: forest)
    let after = count(before: end, in: forest)
    let (leaf, slot, _) = members.locate(before, in: root)
    guard after - before > 1 else { return members.remove(leaf: leaf, slot: slot, root: &root) }
    let isLast = after == members.summary(of: root).count
    let (left, rest) = members.split(leaf: leaf, slot: slot)
    guard !isLast else {
      members.release(rest)
      root = left
      return
    }
    let (restLeaf, restSlot, _) = members.locate(after - before, in: rest)
    let (gone, right) = members.split(leaf: restLeaf, slot: restSlot)
    members.release(gone)
    root = members.join(left, right)
  }

  /// The entries to be held of some that stand side by side.
  private func found(
    from place: Forest<Width>.Place,
    to end: Int32,
    in forest: borrowing Forest<Width>
  ) -> [Member] {
    guard place.depth <= deepest else { return [] }
    var members: [Member] = []
    var next: Forest<Width>.Place? = place
    while let place = next, place.position < end {
      if place.depth <= deepest { members.append(Member(owner: forest.node(at: place).index)) }
      next = place.depth < deepest ? forest.next(place) : forest.afterSubtree(place)
    }
    return members
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

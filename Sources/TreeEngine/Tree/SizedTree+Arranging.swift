extension SizedTree {
  /// Gives a node's children another order, moving the fewest.
  ///
  /// - Parameters:
  ///   - wanted: All children, each once, in the order they are to stand in.
  ///   - parent: Their parent; ``NodeID/forestRoot`` for roots.
  ///   - count: Counts the steps.
  /// - Throws: What counting throws; the transaction is to be rolled back then.
  /// - Complexity: O(*k* log *n* + min(*m*, moves · log *n*)) for *k* children and *m* nodes at
  ///   and below them, and what moving lists.
  @specialized(where Width == Fanout<64>)
  public mutating func arrange(
    children wanted: [NodeID],
    of parent: NodeID,
    counting count: StepCounter
  ) throws(Interruption) {
    precondition(wanted.count == childCount(of: parent), "not all children are given")
    if try arrangeInOnePiece(wanted, under: parent, count) { return }
    do throws(TreeError) {
      try setChildOrder(wanted, of: parent, counting: count)
    } catch {
      precondition(error == .interrupted, "a child is placed among its siblings")
      throw Interruption()
    }
  }

  /// To move one node costs about as much as to write down so many anew.
  private static var nodesPerMove: Int { Width.fanout / 2 }

  /// Takes all children out and puts them in again in order, if that costs less than to move one
  /// after the other.
  ///
  /// Only where no view shows anything below them: there, the rows of all would be listed.
  private mutating func arrangeInOnePiece(
    _ wanted: [NodeID],
    under parent: NodeID,
    _ count: StepCounter
  ) throws(Interruption) -> Bool {
    guard wanted.count > Self.nodesPerMove, let stretch = childStretch(of: parent) else {
      return false
    }
    let positions = try entryPositions(of: wanted, count)
    let staying = longestIncreasing(positions)
    let moves = wanted.count - staying.count
    guard moves * Self.nodesPerMove > stretch.size, isFlat(stretch) else { return false }
    try count(2 * Int(stretch.size))
    try willCut(stretch, .arranging, count)
    noteMoved(wanted, staying: staying)
    let former = rearrange(positions, under: parent)
    record(.arranged(parent, from: former))
    return true
  }

  /// Returns the positions of nodes; to find the longest run in order is counted with that.
  private func entryPositions(
    of nodes: [NodeID],
    _ count: StepCounter
  ) throws(Interruption) -> [Int32] {
    var positions: [Int32] = []
    positions.reserveCapacity(nodes.count)
    for node in nodes {
      try count(Self.stepsPerPosition)
      positions.append(forest.place(of: node).position)
    }
    return positions
  }

  /// About so many nodes are passed in the time in which one is placed among its siblings.
  private static var stepsPerPosition: Int { 4 }

  /// Records which of some siblings move: those that are not at the given places.
  private mutating func noteMoved(_ siblings: [NodeID], staying places: [Int]) {
    var next = places[...]
    for (place, node) in siblings.enumerated() {
      if next.first == place { next.removeFirst() } else { transaction?.moved.insert(node) }
    }
  }

  /// Gives all children of a node another order.
  ///
  /// - Parameters:
  ///   - positions: where they are, in the order they are to stand in.
  ///   - parent: their parent.
  /// - Returns: the children in the order they stood in.
  /// - Complexity: O(*m* + log *n*) for *m* nodes at and below them.
  @discardableResult
  mutating func rearrange(_ positions: [Int32], under parent: NodeID) -> [NodeID] {
    guard let stretch = childStretch(of: parent) else {
      preconditionFailure("there are no children")
    }
    let (cutting, toggled) = cut(stretch)
    let opening = forest.opening(under: parent, at: 0)
    let starts = positions.map { $0 - stretch.first.position }
    let former = forest.pasteAll(cutting, inOrder: starts, at: opening)
    didLink(at: opening, count: cutting.size, toggled: toggled)
    return former
  }

  /// All children of a node with what is below them.
  private func childStretch(of parent: NodeID) -> Forest<Width>.Stretch? {
    let place = forest.place(of: parent)
    let count = forest[parent].childCount
    guard count > 0, let first = forest.next(place) else { return nil }
    let following = forest.subtree(at: place).following
    return Forest<Width>.Stretch(
      first: first,
      following: following,
      end: following?.position ?? forest.entryCount,
      rootCount: count
    )
  }

  /// Whether every view shows the roots of a stretch alone, or none of them.
  private func isFlat(_ stretch: Forest<Width>.Stretch) -> Bool {
    if stretch.size == stretch.rootCount { return true }
    var stretches = RuleStretches<Width>(
      from: stretch.first.position,
      to: stretch.end,
      depth: stretch.first.depth
    )
    return watchers.allSatisfy { watcher in
      guard !watcher.view.isVacant else { return true }
      let entries = stretches.stretch(under: watcher.view.rule, in: forest, indexes)
      let rows = watcher.view.rows(of: entries, in: forest, indexes)
      return rows.map { $0.count == stretch.rootCount } ?? true
    }
  }

  /// Makes nodes children of a node, in the order given, moving the fewest.
  ///
  /// Of those that are its children already, a longest subsequence that is in order stays; every
  /// other one of `wanted` is moved, from wherever it is, to right behind the one before it in
  /// `wanted`, or to be the first child. Children not wanted stay where they are, somewhere
  /// between. So a keyed diff inserts what is new anywhere below the parent, calls this with all
  /// children there are to be, and removes those that are not wanted.
  ///
  /// - Parameters:
  ///   - wanted: Nodes anywhere in the tree, each once.
  ///   - parent: Their parent from now on.
  ///   - count: Counts the steps.
  /// - Throws: ``TreeError/cycle`` or ``TreeError/interrupted`` as
  ///   ``move(_:under:at:counting:)`` does. Some nodes may have been moved by then: the transaction
  ///   is to be rolled back. The depth of nodes is not limited here, as what is below them may be
  ///   about to leave; see ``isTooDeep(atOrBelow:counting:)``.
  /// - Complexity: O((*k* + moves) log *n*) for *k* nodes wanted, and what moving lists.
  @specialized(where Width == Fanout<64>)
  public mutating func setChildOrder(
    _ wanted: [NodeID],
    of parent: NodeID,
    counting count: StepCounter
  ) throws(TreeError) {
    var seen = NodeSet()
    seen.insert(wanted)
    precondition(seen.nodes.count == wanted.count, "a node is wanted twice")
    let present = wanted.indices.filter { forest[wanted[$0]].parent == parent }
    let children = present.map { wanted[$0] }
    let positions: [Int32] = try TreeError.uninterrupted { () throws(Interruption) in
      try entryPositions(of: children, count)
    }
    var isStaying = Array(repeating: false, count: wanted.count)
    for place in longestIncreasing(positions) { isStaying[present[place]] = true }
    var last: NodeID?
    for (node, isStaying) in zip(wanted, isStaying) {
      if !isStaying { try move(node, under: parent, behind: last, count) }
      last = node
    }
  }

  /// Moves a node to right behind a child of its new parent, or to be the first child.
  private mutating func move(
    _ node: NodeID,
    under parent: NodeID,
    behind last: NodeID?,
    _ count: StepCounter
  ) throws(TreeError) {
    var index = 0
    if let last {
      let isBefore =
        forest[node].parent == parent
        && forest.place(of: node).position < forest.place(of: last).position
      index = position(of: last) + (isBefore ? 0 : 1)
    }
    try move(node, under: parent, at: index, notDeeperThan: .max, count)
  }
}

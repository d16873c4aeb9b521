extension SizedTree {
  /// Sets the order of a node's children with as few moves as possible.
  ///
  /// - Parameters:
  ///   - wanted: All children, each once, in the new order.
  ///   - parent: The parent; ``NodeID/forestRoot`` for roots.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(*k* log *n* + min(*m*, moves · log *n*)) for *k* children and *m* nodes at and
  ///   below them, and the cost of listing moved rows.
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

  /// The number of nodes that are linked anew at about the cost of one move.
  private static var nodesPerMove: Int { Width.fanout / 2 }

  /// Cuts out all children and pastes them in order, if that costs less than single moves.
  ///
  /// It is done only if no view shows rows below the children, because those would be listed.
  ///
  /// - Returns: False if nothing was done.
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
    try willCut(stretch, .arranging, count)
    try Self.completing(count) { pass in
      recordMoved(wanted, staying: staying, passing: pass)
      let former = rearrange(positions, under: parent, passing: pass)
      record(.arranged(parent, from: former))
    }
    return true
  }

  /// Returns the positions of nodes in pre-order.
  ///
  /// Also counts the steps of the search for the longest increasing subsequence.
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

  /// The number of steps that are counted for placing a node among its siblings.
  private static var stepsPerPosition: Int { 4 }

  /// Records the siblings that move: all but those at the given indexes.
  private mutating func recordMoved(
    _ siblings: [NodeID],
    staying places: [Int],
    passing pass: PauseCounter
  ) {
    var next = places[...]
    for (place, node) in siblings.enumerated() {
      if place % Forest<Width>.nodesPerPass == 0 { pass(Forest<Width>.nodesPerPass) }
      if next.first == place { next.removeFirst() } else { transaction?.moved.insert(node) }
    }
  }

  /// Sets the order of all children of a node.
  ///
  /// - Parameters:
  ///   - positions: The positions of the children, in the new order.
  ///   - parent: The parent.
  ///   - pass: Counts the steps.
  /// - Returns: The children in the former order.
  /// - Complexity: O(*m* + log *n*) for *m* nodes at and below them.
  @discardableResult
  mutating func rearrange(
    _ positions: [Int32],
    under parent: NodeID,
    passing pass: PauseCounter
  ) -> [NodeID] {
    guard let stretch = childStretch(of: parent) else {
      preconditionFailure("there are no children")
    }
    let (cutting, toggled) = cut(stretch)
    let opening = forest.opening(under: parent, at: 0)
    let starts = positions.map { $0 - stretch.first.position }
    let former = forest.pasteAll(cutting, inOrder: starts, at: opening, passing: pass)
    didLink(at: opening, count: cutting.size, toggled: toggled)
    return former
  }

  /// Returns the stretch of all children of a node and their descendants; nil if there are none.
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

  /// Returns true if each view shows only the roots of a stretch, or nothing of it.
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

  /// Makes nodes children of a node, in the given order, with as few moves as possible.
  ///
  /// Of the nodes that are children already, a longest subsequence that is in order stays. Each
  /// other node is moved directly behind its predecessor in `wanted`, or to the first place.
  ///
  /// Children that are not in `wanted` stay somewhere in between. A keyed diff therefore inserts
  /// new nodes anywhere below the parent, calls this with all wanted children, and removes the
  /// others.
  ///
  /// - Parameters:
  ///   - wanted: Nodes anywhere in the tree, each once.
  ///   - parent: The new parent.
  ///   - count: Counts the steps.
  /// - Throws: ``TreeError/cycle`` or ``TreeError/interrupted`` as ``move(_:under:at:counting:)``
  ///   does. Some nodes may have been moved, so the transaction must be rolled back. Depths are not
  ///   checked, because deep descendants may be about to leave; see
  ///   ``isTooDeep(atOrBelow:counting:)``.
  /// - Complexity: O((*k* + moves) log *n*) for *k* nodes wanted, and the cost of listing moved
  ///   rows.
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

  /// Moves a node directly behind a child of its new parent, or to the first place.
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

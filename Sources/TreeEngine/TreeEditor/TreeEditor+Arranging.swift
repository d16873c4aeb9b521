extension TreeEditor {
  /// Sets the order of a node's children with as few moves as possible.
  mutating func arrange(
    children wanted: [NodeID],
    of parent: NodeID,
    counting count: StepCounter
  ) throws(Interruption) {
    precondition(wanted.count == Int(base.forest[parent].childCount), "not all children are given")
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
    try Interruption.completing(count) { pass in
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
      positions.append(base.forest.place(of: node).position)
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
    let opening = base.forest.opening(under: parent, at: 0)
    let starts = positions.map { $0 - stretch.first.position }
    let former = base.forest.pasteAll(cutting, inOrder: starts, at: opening, passing: pass)
    didLink(at: opening, count: cutting.size, toggled: toggled)
    return former
  }

  /// Returns the stretch of all children of a node and their descendants; nil if there are none.
  private func childStretch(of parent: NodeID) -> Forest<Width>.Stretch? {
    let place = base.forest.place(of: parent)
    let count = base.forest[parent].childCount
    guard count > 0, let first = base.forest.next(place) else { return nil }
    let following = base.forest.subtree(at: place).following
    return Forest<Width>.Stretch(
      first: first,
      following: following,
      end: following?.position ?? base.forest.entryCount,
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
    return base.watchers.allSatisfy { watcher in
      guard !watcher.view.isVacant else { return true }
      let entries = stretches.stretch(under: watcher.view.rule, in: base.forest, base.indexes)
      let rows = watcher.view.rows(of: entries, in: base.forest, base.indexes)
      return rows.map { $0.count == stretch.rootCount } ?? true
    }
  }

  /// Makes nodes children of a node, in the given order, with as few moves as possible.
  mutating func setChildOrder(
    _ wanted: [NodeID],
    of parent: NodeID,
    counting count: StepCounter
  ) throws(TreeError) {
    var seen = NodeSet()
    seen.insert(wanted)
    precondition(seen.nodes.count == wanted.count, "a node is wanted twice")
    let present = wanted.indices.filter { base.forest[wanted[$0]].parent == parent }
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
        base.forest[node].parent == parent
        && base.forest.place(of: node).position < base.forest.place(of: last).position
      index = base.forest.childPosition(of: base.forest.place(of: last)) + (isBefore ? 0 : 1)
    }
    try move(node, under: parent, at: index, notDeeperThan: .max, count)
  }
}

// The net effect of a transaction, in which undone changes do not count.
extension SizedTree {
  /// Returns true if the running transaction has a net effect on the nodes.
  ///
  /// - Parameter count: Counts the steps.
  /// - Returns: False if nothing has changed, or everything was undone.
  /// - Throws: The error that `count` throws. The transaction is unchanged then.
  /// - Complexity: O(*k*) for *k* operations and bytes; O(*k* log *n*) if they only moved nodes
  ///   among their siblings.
  @specialized(where Width == Fanout<64>)
  public func hasDataChanges(counting count: StepCounter) throws(Interruption) -> Bool {
    guard let transaction else { return false }
    for node in transaction.made {
      try count(1)
      if forest.isAttached(node) { return true }
    }
    let made = Set(transaction.made)
    for inverse in transaction.inverses {
      try count(1)
      guard case .removed(let cutting, _, _) = inverse else { continue }
      for node in try Self.completing(count, { forest.nodes(of: cutting, passing: $0) })
      where !made.contains(node) { return true }
    }
    let readings = transaction.readings
    for (node, before) in zip(readings.keys.nodes, readings.values) {
      try count(1)
      guard forest.isAttached(node) else { continue }
      if before.childState != forest[node].childState { return true }
      if before.hint != forest.hints[node] { return true }
      if try !sameBytes(before.object, forest[node].object, count) { return true }
    }
    return try hasMoves(transaction, made: made, count)
  }

  /// Compares objects, and counts their bytes.
  func sameBytes(
    _ left: ByteArena.Slice,
    _ right: ByteArena.Slice,
    _ count: StepCounter
  ) throws(Interruption) -> Bool {
    if left == right { return true }
    guard left.count == right.count else { return false }
    try count(left.count / Self.bytesPerStep)
    return sameBytes(left, right)
  }

  /// The number of bytes that are read in the time of a step.
  private static var bytesPerStep: Int { 64 }

  /// Returns true if any node changed its parent or its order among its siblings.
  ///
  /// - Precondition: No node was added or removed on balance.
  private func hasMoves(
    _ transaction: Transaction<Width>,
    made: Set<NodeID>,
    _ count: StepCounter
  ) throws(Interruption) -> Bool {
    var seen: Set<NodeID> = []
    var steps = 0
    var hasArranged = false
    for inverse in transaction.inverses {
      try count(1)
      switch inverse {
      case .arranged:
        steps += 1
        hasArranged = true
      case .moved(let node, let from, _):
        steps += 1
        let isFirst = seen.insert(node).inserted
        if isFirst, !made.contains(node), forest[node].parent != from.parent {
          return true
        }
      case .linked, .removed: steps += 1
      case .object, .childState, .toggled, .toggledAside, .selected, .rule, .views: continue
      }
    }
    if seen.isEmpty, !hasArranged { return false }
    // A single step that changes nothing is not even recorded.
    if steps == 1 { return true }
    for (parent, delta) in try siblingDeltas(transaction, made: made, count)
    where try hasMoves(among: parent, delta, count) { return true }
    return false
  }

  /// Returns the differences of the child lists that the transaction changed, by parent.
  ///
  /// An index of such a difference is a child position.
  private func siblingDeltas(
    _ transaction: Transaction<Width>,
    made: Set<NodeID>,
    _ count: StepCounter
  ) throws(Interruption) -> [NodeID: RowDelta<Width>] {
    var change: [NodeID: Int32] = [:]
    for inverse in transaction.inverses {
      try count(1)
      if let (target, nodes) = inverse.target { change[target.parent, default: 0] += nodes }
      if let source = inverse.source { change[source.standing.parent, default: 0] -= 1 }
      if case .arranged(let parent, _) = inverse { change[parent, default: 0] += 0 }
    }
    var deltas: [NodeID: RowDelta<Width>] = [:]
    for (parent, change) in change where !made.contains(parent) {
      deltas[parent] = RowDelta(rowCount: forest[parent].childCount - change)
    }
    for inverse in transaction.inverses {
      try count(Self.stepsPerSibling)
      if let (node, from) = inverse.source {
        let row = RowDelta<Width>.Listed(node: node, parent: from.parent, depth: 0)
        deltas[from.parent]?.delete(at: Int32(from.index), count: 1, rows: [row])
      }
      if let (to, nodes) = inverse.target {
        deltas[to.parent]?.insert(at: Int32(to.index), count: nodes)
      }
      if case .arranged(let parent, let former) = inverse {
        try count(former.count)
        let rows = former.map { RowDelta<Width>.Listed(node: $0, parent: parent, depth: 0) }
        deltas[parent]?.delete(at: 0, count: Int32(rows.count), rows: rows)
        deltas[parent]?.insert(at: 0, count: Int32(rows.count))
      }
    }
    return deltas
  }

  /// The number of steps that are counted for a place among siblings.
  private static var stepsPerSibling: Int { 4 }

  private func hasMoves(
    among parent: NodeID,
    _ delta: RowDelta<Width>,
    _ count: StepCounter
  ) throws(Interruption) -> Bool {
    let above = forest.place(of: parent)
    let reading = try DeltaReading(delta, movers: nil, counting: count) { index, count in
      var rows: [RowDelta<Width>.Listed] = []
      var next: Forest<Width>.Place? = forest.child(Int(index), of: above)
      while rows.count < count, let place = next {
        rows.append(RowDelta.Listed(node: forest.node(at: place), parent: parent, depth: 0))
        next = forest.afterSubtree(place)
      }
      return rows
    } rowNow: { node in
      guard forest.isAttached(node), forest[node].parent == parent else { return nil }
      let position = Int32(forest.childPosition(of: forest.place(of: node)))
      return (position, RowDelta.Listed(node: node, parent: parent, depth: 0))
    }
    return try reading.structuralChanges(counting: count).rowEntryCount > 0
  }

  /// Returns true if the running transaction has a net effect on the expansion of a view.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Returns: False if nothing has changed, or everything was undone.
  /// - Throws: The error that `count` throws. The transaction is unchanged then.
  /// - Complexity: O(*k* log *n*) for *k* nodes touched, O(nodes toggled) after a change of rule.
  @specialized(where Width == Fanout<64>)
  public func hasExpansionChanges(
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) -> Bool {
    let slot = slot(of: id)
    guard watchers[slot].isTouched else { return false }
    let watcher = watchers[slot]
    try count(watcher.toggledBefore.count)
    let isChanged = watcher.toggledBefore.contains { node, before in
      guard forest.isAttached(node) else { return false }
      let depth = forest.place(of: node).depth
      return watcher.wasExpanded(node, depth: depth)
        != watcher.view.isExpanded(node, depth: depth)
    }
    guard !isChanged, let before = watcher.viewBefore else { return isChanged }
    if before.rule != watcher.view.rule { return true }
    try count(before.toggles.count + watcher.view.toggles.count)
    // Setting a rule forgets toggles without touching the nodes one by one.
    let forgotten = before.toggledNodes.symmetricDifference(watcher.view.toggledNodes)
    return forgotten.contains { watcher.toggledBefore[$0] == nil && forest.isAttached($0) }
  }
}

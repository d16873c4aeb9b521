/// The net effect of a transaction on the nodes, in which undone changes do not count.
struct NetEffect<Width: NodeWidth> {
  typealias StepCounter = SizedTree<Width>.StepCounter

  private let transaction: Transaction<Width>

  init(of transaction: Transaction<Width>) { self.transaction = transaction }

  /// Returns true if the transaction has a net effect on the nodes.
  ///
  /// - Parameters:
  ///   - forest: The nodes after the transaction.
  ///   - count: Counts the steps.
  /// - Returns: False if nothing has changed, or everything was undone.
  /// - Throws: The error that `count` throws. The transaction is unchanged then.
  /// - Complexity: O(*k*) for *k* operations and bytes; O(*k* log *n*) if they only moved nodes
  ///   among their siblings.
  func hasDataChanges(
    in forest: borrowing Forest<Width>,
    _ count: StepCounter
  ) throws(Interruption) -> Bool {
    for node in transaction.made {
      try count(1)
      if forest.isAttached(node) { return true }
    }
    let made = Set(transaction.made)
    for inverse in transaction.inverses {
      try count(1)
      guard case .removed(let cutting, _, _) = inverse else { continue }
      for node in try Interruption.completing(count, { forest.nodes(of: cutting, passing: $0) })
      where !made.contains(node) { return true }
    }
    let readings = transaction.readings
    for (node, before) in zip(readings.keys.nodes, readings.values) {
      try count(1)
      guard forest.isAttached(node) else { continue }
      if before.childState != forest[node].childState { return true }
      if before.hint != forest.hints[node] { return true }
      if try !forest.sameBytes(before.object, forest[node].object, count) { return true }
    }
    return try hasMoves(made: made, in: forest, count)
  }

  /// Returns true if any node changed its parent or its order among its siblings.
  ///
  /// - Precondition: No node was added or removed on balance.
  private func hasMoves(
    made: Set<NodeID>,
    in forest: borrowing Forest<Width>,
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
    for (parent, delta) in try siblingDeltas(made: made, in: forest, count)
    where try hasMoves(among: parent, delta, in: forest, count) { return true }
    return false
  }

  /// Returns the differences of the child lists that the transaction changed, by parent.
  ///
  /// An index of such a difference is a child position.
  private func siblingDeltas(
    made: Set<NodeID>,
    in forest: borrowing Forest<Width>,
    _ count: StepCounter
  ) throws(Interruption) -> [NodeID: RowDelta<Width>] {
    var change: [NodeID: Int32] = [:]
    for inverse in transaction.inverses {
      try count(1)
      if let (target, nodes) = inverse.target { change[target.parent, default: 0] += nodes }
      if let source = inverse.source { change[source.place.parent, default: 0] -= 1 }
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
    in forest: borrowing Forest<Width>,
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
}

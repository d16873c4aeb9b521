// The net effect of a transaction, in which undone changes do not count.
extension SizedTree {
  /// True if the running transaction has a net effect on the nodes.
  ///
  /// - Complexity: O(*k*) for *k* operations; O(*k* log *n*) if they only moved nodes among their
  ///   siblings.
  public var hasDataChanges: Bool {
    @specialized(where Width == Fanout<64>)
    get { findDataChanges() }
  }

  private func findDataChanges() -> Bool {
    guard let transaction else { return false }
    lazy var made = Set(transaction.made)
    for inverse in transaction.inverses {
      switch inverse {
      case .linked(let node, let count, _):
        if forest.isAttached(node) { return true }
        if count > 1, transaction.made.contains(where: { forest.isAttached($0) }) { return true }
      case .removed(let cutting, _, _):
        let nodes = forest.nodes(of: cutting)
        if nodes.contains(where: { !made.contains($0) }) { return true }
      case .moved, .arranged, .object, .childState: continue
      case .toggled, .toggledAside, .selected, .rule, .views: continue
      }
    }
    let readings = transaction.readings
    for (node, before) in zip(readings.keys.nodes, readings.values) where forest.isAttached(node) {
      if before.childState != forest[node].childState { return true }
      if before.hint != forest.hints[node] { return true }
      if !sameBytes(before.object, forest[node].object) { return true }
    }
    return hasMoves(transaction, made: made)
  }

  /// Returns true if any node changed its parent or its order among its siblings.
  ///
  /// - Precondition: No node was added or removed on balance.
  private func hasMoves(_ transaction: Transaction<Width>, made: Set<NodeID>) -> Bool {
    var seen: Set<NodeID> = []
    var steps = 0
    var hasArranged = false
    for inverse in transaction.inverses {
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
    return steps == 1 || siblingDeltas(transaction, made: made).contains { hasMoves(among: $0, $1) }
  }

  /// Returns the differences of the child lists that the transaction changed, by parent.
  ///
  /// An index of such a difference is a child position.
  private func siblingDeltas(
    _ transaction: Transaction<Width>,
    made: Set<NodeID>
  ) -> [NodeID: RowDelta<Width>] {
    var change: [NodeID: Int32] = [:]
    for inverse in transaction.inverses {
      if let (target, count) = inverse.target { change[target.parent, default: 0] += count }
      if let source = inverse.source { change[source.standing.parent, default: 0] -= 1 }
      if case .arranged(let parent, _) = inverse { change[parent, default: 0] += 0 }
    }
    var deltas: [NodeID: RowDelta<Width>] = [:]
    for (parent, change) in change where !made.contains(parent) {
      deltas[parent] = RowDelta(rowCount: forest[parent].childCount - change)
    }
    for inverse in transaction.inverses {
      if let (node, from) = inverse.source {
        let row = RowDelta<Width>.Listed(node: node, parent: from.parent, depth: 0)
        deltas[from.parent]?.delete(at: Int32(from.index), count: 1, rows: [row])
      }
      if let (to, count) = inverse.target {
        deltas[to.parent]?.insert(at: Int32(to.index), count: count)
      }
      if case .arranged(let parent, let former) = inverse {
        let rows = former.map { RowDelta<Width>.Listed(node: $0, parent: parent, depth: 0) }
        deltas[parent]?.delete(at: 0, count: Int32(rows.count), rows: rows)
        deltas[parent]?.insert(at: 0, count: Int32(rows.count))
      }
    }
    return deltas
  }

  private func hasMoves(among parent: NodeID, _ delta: RowDelta<Width>) -> Bool {
    let above = forest.place(of: parent)
    let reading = readUncounted(delta) { index, count in
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
    return reading.structuralChanges().rowEntryCount > 0
  }

  /// Reads a delta of the children of a node, whose steps were counted before.
  private func readUncounted(
    _ delta: RowDelta<Width>,
    rowsNow: DeltaReading<Width>.RowsNow,
    rowNow: (NodeID) -> (index: Int32, row: RowDelta<Width>.Listed)?
  ) -> DeltaReading<Width> {
    do throws(Interruption) {
      return try DeltaReading(
        delta,
        movers: nil,
        counting: { _ in },
        rowsNow: rowsNow,
        rowNow: rowNow
      )
    } catch {
      preconditionFailure("nothing stops the work")
    }
  }

  /// Returns true if the running transaction has a net effect on the expansion of a view.
  ///
  /// - Complexity: O(*k* log *n*) for *k* nodes touched, O(nodes toggled) after a change of rule.
  @specialized(where Width == Fanout<64>)
  public func hasExpansionChanges(in id: ViewID) -> Bool {
    let slot = slot(of: id)
    guard watchers[slot].isTouched else { return false }
    let watcher = watchers[slot]
    let isChanged = watcher.toggledBefore.contains { node, before in
      guard forest.isAttached(node) else { return false }
      let depth = forest.place(of: node).depth
      return watcher.wasExpanded(node, depth: depth)
        != watcher.view.isExpanded(node, depth: depth)
    }
    guard !isChanged, let before = watcher.viewBefore else { return isChanged }
    if before.rule != watcher.view.rule { return true }
    // Setting a rule forgets toggles without touching the nodes one by one.
    let forgotten = before.toggledNodes.symmetricDifference(watcher.view.toggledNodes)
    return forgotten.contains { watcher.toggledBefore[$0] == nil && forest.isAttached($0) }
  }
}

// Rows as change lists need them, of views with and without a layer.
extension ViewedForest {
  /// Returns true if a node is expanded in a view; false for a leaf.
  func isExpanded(_ node: NodeID, in id: ViewID) -> Bool {
    forest[node].childState != .leaf
      && watchers[slot(of: id)].view.isExpanded(node, depth: forest.place(of: node).depth)
  }

  /// Returns the siblings of a node that are expanded in a view, in order.
  func expandedSiblings(of node: NodeID, in id: ViewID) -> [NodeID] {
    let slot = slot(of: id)
    let parent = forest[node].parent
    if asksToggled(forSiblingsOf: node, inViewAt: slot) {
      return inPreOrder(
        watchers[slot].view.toggles.nodes.filter { other in
          other != node && forest[other].parent == parent
            && forest[other].childState != .leaf
        }
      )
    }
    let depth = forest.place(of: node).depth
    var expanded: [NodeID] = []
    forest.forEachChild(of: parent) { other in
      let isExpanded =
        other != node && forest[other].childState != .leaf
        && watchers[slot].view.isExpanded(other, depth: depth)
      if isExpanded { expanded.append(other) }
      return true
    }
    return expanded
  }

  /// Returns the number of nodes that ``expandedSiblings(of:in:)`` reads.
  func siblingsAsked(of node: NodeID, in id: ViewID) -> Int {
    let slot = slot(of: id)
    return asksToggled(forSiblingsOf: node, inViewAt: slot)
      ? watchers[slot].view.toggles.count : Int(forest[forest[node].parent].childCount)
  }

  /// Returns true if it is cheaper to find the expanded siblings of a node among the toggled nodes.
  ///
  /// This requires that the rule expands none of them, and that fewer nodes are toggled than
  /// siblings exist.
  private func asksToggled(forSiblingsOf node: NodeID, inViewAt slot: Int) -> Bool {
    let view = watchers[slot].view
    return !view.rule.expands(atDepth: forest.place(of: node).depth)
      && view.toggles.count < forest[forest[node].parent].childCount
  }

  /// The divisor of the node count: a table with more nodes than the quotient is large.
  ///
  /// A large table is sorted by a walk over all nodes of the tree.
  private static var largePart: Int { 16 }

  /// Returns the nodes of a table in pre-order; none if `proceeds` returned false.
  ///
  /// - Complexity: O(*k* log *n*) for *k* of them, and at most O(*n*).
  func inPreOrder<Value>(
    _ table: NodeTable<Value>,
    while proceeds: () -> Bool
  ) -> [NodeID] {
    guard table.count * Self.largePart > forest.nodeCount else {
      return inPreOrder(table.nodes, while: proceeds)
    }
    var nodes: [NodeID] = []
    nodes.reserveCapacity(table.count)
    var goesOn = true
    forest.forEachNode { node in
      goesOn = proceeds()
      if table.contains(node) { nodes.append(node) }
      return goesOn
    }
    return goesOn ? nodes : []
  }

  /// Returns nodes sorted in pre-order; none if `proceeds` returned false.
  func inPreOrder(
    _ nodes: some Collection<NodeID>,
    while proceeds: () -> Bool = { true }
  ) -> [NodeID] {
    var placed: [(node: NodeID, position: Int32)] = []
    placed.reserveCapacity(nodes.count)
    for node in nodes {
      guard proceeds() else { return [] }
      placed.append((node, forest.place(of: node).position))
    }
    return placed.sorted { $0.position < $1.position }.map(\.node)
  }

  /// Returns the changes of the shown rows in the running transaction; nil if there are none.
  ///
  /// - Precondition: The rows of the view are up to date.
  func shownDelta(_ slot: Int) -> RowDelta<Width>? {
    guard watchers[slot].isLayered else { return watchers[slot].delta }
    return watchers[slot].layering?.delta
  }

  /// Returns the changes of the shown rows as splices; nil if they do not suffice.
  func shownSplices(_ slot: Int) -> FewSplices<Width>? {
    watchers[slot].hasSplicesOnly ? watchers[slot].splices : nil
  }

  /// Returns the number of rows before the running transaction.
  func shownRowCountBefore(_ slot: Int) -> Int32 {
    guard watchers[slot].isLayered else { return watchers[slot].rowCountBefore }
    return watchers[slot].layering?.rowCountBefore ?? watchers[slot].rowCountBefore
  }

  /// Returns the number of rows.
  func shownRowCount(_ slot: Int) -> Int32 {
    guard watchers[slot].isLayered else { return watchers[slot].view.rowCount }
    return watchers[slot].layering?.layer?.rows.count ?? watchers[slot].view.rowCount
  }

  /// Returns the row index of a node of the tree; nil while it is hidden.
  ///
  /// - Complexity: O(log *n*).
  func shownIndex(of node: NodeID, at place: Forest<Width>.Place, inViewAt slot: Int) -> Int32? {
    if watchers[slot].isLayered, let layer = watchers[slot].layering?.layer {
      return layer.rows.index(of: node)
    }
    return watchers[slot].view.row(at: place.position, depth: place.depth, in: forest, indexes)
  }

  /// Returns the rows of a view with a filter or an order; nil without either.
  func writtenRows(_ slot: Int) -> RowSequence<Width>? {
    watchers[slot].isLayered ? watchers[slot].layering?.layer?.rows : nil
  }

  /// Returns the current row of a node and its index; nil if it has none.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - written: The result of ``writtenRows(_:)``.
  ///   - slot: The slot of the view.
  /// - Returns: The index and the row.
  /// - Complexity: O(log *n*).
  func listedRow(
    of node: NodeID,
    among written: RowSequence<Width>?,
    inViewAt slot: Int
  ) -> (index: Int32, row: RowDelta<Width>.Listed)? {
    if let written {
      return written.index(of: node).map {
        ($0, RowDelta.Listed(at: forest.place(of: node), in: forest))
      }
    }
    guard let place = forest.place(ofAttached: node) else { return nil }
    let index = watchers[slot].view.row(at: place.position, depth: place.depth, in: forest, indexes)
    return index.map { ($0, RowDelta.Listed(at: place, in: forest)) }
  }

  /// Returns consecutive rows.
  ///
  /// - Complexity: O(count), with at most one search for each.
  func listedRows(
    from index: Int32,
    count: Int32,
    inViewAt slot: Int
  ) -> [RowDelta<Width>.Listed] {
    if let written = writtenRows(slot) {
      return written.listed(from: index, count: count, in: forest)
    }
    return watchers[slot].view.listedRows(from: index, count: count, in: forest, indexes)
  }

  /// Returns true if the siblings of a view's rows are in an order of its own.
  func hasOrdering(_ slot: Int) -> Bool {
    watchers[slot].isLayered && watchers[slot].layering?.ordering != nil
  }

  /// Returns the members and rows of a view's filter; nil without one.
  func filter(inViewAt slot: Int) -> RowFilter<Width>? {
    watchers[slot].isLayered ? watchers[slot].layering?.layer?.filter : nil
  }

  /// Returns the nodes whose match changed under the same filter, with true for those that matched
  /// before the running transaction.
  func matchedBefore(inViewAt slot: Int) -> [NodeID: Bool] {
    watchers[slot].isLayered ? watchers[slot].layering?.matchedBefore ?? [:] : [:]
  }

  /// Returns the filter before the running transaction; nil unless the transaction set the filter,
  /// or the order of a filtered view.
  func filterBefore(inViewAt slot: Int) -> FilterBefore? {
    watchers[slot].isLayered ? watchers[slot].layering?.filterBefore : nil
  }

  /// Returns the nodes without loaded children that changes of rule expanded in a transaction.
  ///
  /// Nodes whose children became unloaded after the change of rule are included.
  func unloadedByRule(of transaction: Transaction<Width>, inViewAt slot: Int) -> [NodeID] {
    var found = watchers[slot].expandedUnloaded
    guard forest.hasUnloaded, watchers[slot].hasNewRule else { return found }
    let (readings, watcher) = (transaction.readings, watchers[slot])
    let candidates = zip(readings.keys.nodes, readings.values).filter { node, before in
      guard forest.isAttached(node), forest.isUnloaded(node), before.childState != .leaf else {
        return false
      }
      return !watcher.wasExpanded(node, depth: forest.place(of: node).depth)
    }
    guard !candidates.isEmpty else { return found }
    let made = Set(transaction.made)
    found += candidates.lazy.map(\.0).filter { !made.contains($0) }
    return found
  }

  /// Returns the nodes that are expanded in a view now and whose children are not loaded.
  ///
  /// - Parameters:
  ///   - nodes: The nodes to consider, which may repeat or have been removed.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Returns: The nodes, each once.
  /// - Throws: The error that `count` throws.
  func unloaded(
    among nodes: [NodeID],
    in id: ViewID,
    _ count: SizedTree<Width>.StepCounter
  ) throws(Interruption) -> [NodeID] {
    var seen: Set<NodeID> = []
    var unloaded: [NodeID] = []
    for node in nodes {
      try count(1)
      guard forest.isAttached(node), forest.isUnloaded(node), isExpanded(node, in: id)
      else { continue }
      if seen.insert(node).inserted { unloaded.append(node) }
    }
    return unloaded
  }

  /// Returns true if a view's rows contain all changes of the running transaction.
  func hasUpdatedRows(_ slot: Int, in transaction: Transaction<Width>?) -> Bool {
    guard watchers[slot].isLayered, let steps = transaction?.inverses.count,
      transaction?.reach.contains(layeredViewAt: slot) == true
    else { return true }
    return watchers[slot].layering?.updatedSteps == steps
  }

  /// Returns a hash of the nodes of rows that have come.
  ///
  /// - Complexity: O(rows).
  func hash(of runs: [RowRun<Width>], inViewAt slot: Int) -> Int {
    var hasher = Hasher()
    let written = writtenRows(slot)
    for run in runs where run.kind == .inserted {
      let nodes =
        written?.nodes(from: run.newIndex, count: run.count)
        ?? listedRows(from: run.newIndex, count: run.count, inViewAt: slot).map(\.node)
      // One by one, because the same rows may be in other runs elsewhere.
      for node in nodes { hasher.combine(node) }
    }
    return hasher.finalize()
  }
}

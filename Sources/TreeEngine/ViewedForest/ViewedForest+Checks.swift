// Checks for tests.
extension ViewedForest {
  /// Recomputes what a layer stores and compares it, except for the matches.
  ///
  /// For tests.
  ///
  /// - Complexity: O(*n* log *n*).
  func checkLayer(at slot: Int) {
    guard let layer = watchers[slot].layering?.layer else { return }
    let view = watchers[slot].view
    var rows: [RowDelta<Width>.Listed] = []
    if view.rowCount > 0 {
      let first = view.place(atRow: 0, in: forest, indexes)
      rows = view.listedRows(from: first, count: view.rowCount, in: forest)
    }
    if let filter = layer.filter {
      filter.rows.checkInvariants { forest.place(of: $0).depth }
      check(filter)
      rows = rows.filter { filter.isMember($0.node) }
      let found = filter.rows.nodes(from: 0, count: filter.rows.count)
      precondition(found == rows.map(\.node), "the rows of a filter are not its members")
    }
    guard let reordered = layer.reordered else { return }
    reordered.checkInvariants { forest.place(of: $0).depth }
    if let ordering = ordering(layer.ordering) {
      rows.sort { ordering.position(of: $0.node) < ordering.position(of: $1.node) }
    }
    let found = reordered.nodes(from: 0, count: reordered.count)
    let expected = layer.order == .breadthFirst ? try? breadthFirst(rows) { _ in } : rows
    precondition(found == expected?.map(\.node), "rows are in another order than the view's")
  }

  /// Compares what orderings store with the nodes; for tests.
  ///
  /// - Complexity: O(*n* log *n*).
  func checkOrderings() {
    for ordering in orderings {
      ordering.nodes.checkInvariants()
      precondition(ordering.nodes.read { $0.nodeCount } == forest.nodeCount, "nodes are missing")
      for node in ordering.nodes.sequence {
        let place = ordering.place(of: node)
        precondition(forest.place(of: node).depth == place.depth, "a node has another depth")
        let (record, own) = (ordering.nodes.read { $0[node] }, forest[node])
        precondition(record.parent == own.parent, "a node has another parent")
        precondition(record.childCount == own.childCount, "children are missing")
      }
    }
  }

  private func check(_ filter: RowFilter<Width>) {
    var fresh = RowFilter<Width>()
    filter.members.forEach { node, member in
      precondition(forest.isAttached(node), "a member is not in the tree")
      if member.isMatched { fresh.match(node, in: forest) }
    }
    forest.forEachChild(of: .forestRoot) { node in
      fresh.admit(node, in: forest)
      return true
    }
    precondition(fresh.members == filter.members, "members are not matches and their ancestors")
  }

  /// Recomputes what is stored and compares it, except for memory.
  ///
  /// For tests.
  ///
  /// - Complexity: O(*n* log *n*).
  func checkInvariants() {
    forest.checkInvariants()
    indexes.checkInvariants(in: forest)
    checkOrderings()
    for slot in watchers.indices { checkLayer(at: slot) }
    for watcher in watchers where !watcher.view.isVacant {
      watcher.view.checkInvariants(in: forest, indexes)
      watcher.aside?.checkInvariants(in: forest, indexes)
      watcher.delta?.checkInvariants()
    }
  }
}

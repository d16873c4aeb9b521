/// Sorts the nodes of an ordering, and updates it after changes of the data.
struct OrderingUpkeep<Width: NodeWidth> {
  typealias StepCounter = SizedTree<Width>.StepCounter

  /// Sorts siblings.
  let sorter: any SiblingSorter<Width>

  /// Returns all nodes in order.
  ///
  /// - Throws: The error of counting or sorting.
  func sortedNodes(
    of tree: borrowing SizedTree<Width>,
    _ count: StepCounter
  ) throws(Interruption) -> OrderedNodes<Width> {
    let run = try tree.editor.base.forest.sortedRun(counting: count) {
      (siblings: inout [NodeID], parent) throws(Interruption) in
      try sorter.sort(&siblings, of: parent, in: tree)
    }
    let records = tree.editor.base.forest.records.count
    return try Interruption.completing(count) { pass in
      OrderedNodes(run, of: records, passing: pass)
    }
  }

  /// Updates an ordering after changes of the data.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - doubtful: Further nodes that may be out of order.
  ///   - ordering: The ordering.
  ///   - tree: The tree after the changes.
  ///   - count: Counts the steps.
  /// - Throws: The error of counting or sorting. The ordering must be rolled back then.
  func follow(
    _ changes: DataChanges<Width>,
    doubting doubtful: [NodeID],
    by ordering: inout Ordering<Width>,
    in tree: borrowing SizedTree<Width>,
    _ count: StepCounter
  ) throws(Interruption) {
    let changed = changes.touched.nodes.count + doubtful.count
    if Ordering<Width>.isRebuilt(after: changed, of: tree.nodeCount) {
      return ordering.replace(by: try sortedNodes(of: tree, count))
    }
    try ordering.follow(changes, doubting: doubtful, in: tree.editor.base.forest, count) {
      (left, right) throws(Interruption) in
      try precedes(left, right, in: tree)
    }
  }

  /// Returns true if a node comes before a sibling.
  ///
  /// Equal siblings are in the order of the tree.
  private func precedes(
    _ left: NodeID,
    _ right: NodeID,
    in tree: borrowing SizedTree<Width>
  ) throws(Interruption) -> Bool {
    let result = try sorter.compare(left, right, in: tree)
    if result != 0 { return result < 0 }
    return tree.editor.base.forest.place(of: left).position
      < tree.editor.base.forest.place(of: right).position
  }

  // MARK: Nodes that may be out of order

  /// Returns the nodes that recorded changes may have put out of order.
  ///
  /// - Throws: The error that `count` throws.
  static func doubtfulNodes(
    after changes: DataChanges<Width>,
    in forest: borrowing Forest<Width>,
    _ count: StepCounter
  ) throws(Interruption) -> [NodeID] {
    var doubtful = NodeSet()
    doubtful.insert(changes.touched.nodes)
    doubtful.insert(changes.moved)
    for parent in changes.arranged where parent == .forestRoot || forest.isAttached(parent) {
      try count(Int(forest[parent].childCount))
      forest.forEachChild(of: parent) { node in
        doubtful.insert(node)
        return true
      }
    }
    return doubtful.nodes
  }

  /// Returns the nodes that a transaction moved, or whose objects it changed.
  static func doubtfulNodes(
    of transaction: Transaction<Width>,
    in forest: borrowing Forest<Width>
  ) -> [NodeID] {
    var doubtful = transaction.moved
    for (node, before) in zip(transaction.readings.keys.nodes, transaction.readings.values)
    where forest.isAttached(node) && !forest.sameBytes(before.object, forest[node].object) {
      doubtful.insert(node)
    }
    return doubtful.nodes
  }
}

// The rows of views, and the nodes that their clients have selected.
extension SizedTree {
  /// Returns the number of rows of a view.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func rowCount(of id: ViewID) -> Int {
    Int(editor.base.shownRowCount(editor.base.slot(of: id)))
  }

  /// Returns the index of a node's row; nil while it is hidden.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func rowIndex(of node: NodeID, in id: ViewID) -> Int? {
    editor.base.shownIndex(
      of: node,
      at: editor.base.forest.place(of: node),
      inViewAt: editor.base.slot(of: id)
    ).map { Int($0) }
  }

  /// Returns the node of a row.
  ///
  /// - Precondition: `index` is below the row count.
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func node(atRow index: Int, in id: ViewID) -> NodeID {
    editor.base.node(atRow: index, in: id)
  }

  /// Returns a node as a view shows it; the node need not be a row.
  ///
  /// - Complexity: O(log *n*). For a node that a filter hides, O(*c* log *n*), where *c* counts the
  ///   children of the node and of the rows that would be below it.
  @specialized(where Width == Fanout<64>)
  public func row(of node: NodeID, in id: ViewID) -> ViewRow {
    editor.base.row(of: node, in: id)
  }

  /// Returns up to `limit` consecutive rows.
  ///
  /// - Parameters:
  ///   - start: The index of the first row.
  ///   - limit: The maximum number of rows.
  ///   - id: The view.
  ///   - isPlaced: False if the positions among siblings and the numbers of rows below are not
  ///     needed. They may be 0 then.
  /// - Returns: The rows.
  /// - Precondition: `start` is at most the row count.
  /// - Complexity: O(limit + log *n*), and a search for each collapsed subtree that does not end
  ///   within a leaf. In breadth-first order O(limit · log *n*).
  @specialized(where Width == Fanout<64>)
  public func rows(
    from start: Int,
    limit: Int,
    in id: ViewID,
    isPlaced: Bool = true
  ) -> [ViewRow] {
    editor.base.rows(from: start, limit: limit, in: id, isPlaced: isPlaced)
  }

  /// Returns up to `limit` consecutive rows with their parents, depths, keys and objects.
  ///
  /// This takes about a third of the time of ``rows(from:limit:in:isPlaced:)``, and most readers
  /// need no more.
  ///
  /// - Precondition: `start` is at most the row count.
  /// - Complexity: O(limit + log *n*), and a search for each collapsed subtree that does not end
  ///   within a leaf.
  @specialized(where Width == Fanout<64>)
  public func outline(from start: Int, limit: Int, in id: ViewID) -> [OutlinedRow] {
    editor.base.outline(from: start, limit: limit, in: id)
  }

  /// Returns a row; see ``outline(from:limit:in:)``.
  ///
  /// - Precondition: `index` is below the row count.
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func outline(ofRow index: Int, in id: ViewID) -> OutlinedRow {
    editor.base.outline(ofRow: index, in: id)
  }

  /// Returns the rows of runs; see ``outline(from:limit:in:)``.
  ///
  /// - Precondition: The runs are in ascending order, and their rows exist.
  /// - Complexity: O(rows + log *n*). Each run that starts *d* leaves after the previous one adds
  ///   O(log *d*). Each collapsed subtree that does not end within a leaf adds a search.
  @specialized(where Width == Fanout<64>)
  public func outline(of runs: ChangeList.Placements, in id: ViewID) -> [OutlinedRow] {
    editor.base.outline(of: runs, in: id)
  }

  /// Returns up to `limit` ancestors of a row with their indexes, the parent first.
  ///
  /// - Precondition: `index` is below the row count.
  /// - Complexity: O(log *n*) each.
  @specialized(where Width == Fanout<64>)
  public func ancestors(
    ofRow index: Int,
    atMost limit: Int = .max,
    in id: ViewID
  ) -> [(row: OutlinedRow, index: Int)] {
    editor.base.ancestors(ofRow: index, atMost: limit, in: id)
  }

  /// Returns a range of a node's children; they need not be rows.
  ///
  /// - Precondition: `start` is at most the child count.
  /// - Complexity: O(limit · log *n*).
  @specialized(where Width == Fanout<64>)
  public func children(
    of parent: NodeID,
    from start: Int,
    limit: Int,
    in id: ViewID
  ) -> [ViewRow] {
    editor.base.children(of: parent, from: start, limit: limit, in: id)
  }

  // MARK: Selection

  /// Selects nodes, in addition to those already selected.
  ///
  /// - Precondition: None of them is ``NodeID/forestRoot``.
  /// - Complexity: O(*k*) for *k* nodes.
  @specialized(where Width == Fanout<64>)
  public mutating func select(_ nodes: [NodeID], in id: ViewID) {
    editor.select(nodes, in: id)
  }

  /// Deselects nodes.
  ///
  /// - Complexity: O(*k*) for *k* nodes.
  @specialized(where Width == Fanout<64>)
  public mutating func deselect(_ nodes: [NodeID], in id: ViewID) {
    editor.deselect(nodes, in: id)
  }

  /// Selects a node and its descendants, hidden ones included.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(*m* + log *n*) for *m* nodes.
  @specialized(where Width == Fanout<64>)
  public mutating func selectSubtree(
    of node: NodeID,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    try editor.selectSubtree(of: node, in: id, counting: count)
  }

  /// Deselects a node and its descendants.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(min(*m*, *s* log *n*)) for *m* nodes and *s* selected ones.
  @specialized(where Width == Fanout<64>)
  public mutating func deselectSubtree(
    of node: NodeID,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    try editor.deselectSubtree(of: node, in: id, counting: count)
  }

  /// Deselects all nodes.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(*s*) for *s* nodes.
  @specialized(where Width == Fanout<64>)
  public mutating func clearSelection(
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    try editor.clearSelection(in: id, counting: count)
  }

  /// Returns true if a node is selected in a view.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func isSelected(_ node: NodeID, in id: ViewID) -> Bool {
    editor.base.watchers[editor.base.slot(of: id)].selected.contains(node)
  }

  /// Returns the number of nodes selected in a view.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func selectedCount(of id: ViewID) -> Int {
    editor.base.watchers[editor.base.slot(of: id)].selected.count
  }

  /// Returns the nodes selected in a view, in pre-order.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - proceeds: Called for each node read; false ends the search.
  /// - Returns: The nodes; none if the search was ended.
  /// - Complexity: O(*s* log *n*) for *s* of them, and at most O(*n*).
  @specialized(where Width == Fanout<64>)
  public func selectedNodes(in id: ViewID, while proceeds: () -> Bool = { true }) -> [NodeID] {
    editor.base.inPreOrder(editor.base.watchers[editor.base.slot(of: id)].selected, while: proceeds)
  }

  /// Returns true if the running transaction has a net effect on the selection of a view.
  ///
  /// The loss of removed nodes does not count.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Returns: False if nothing has changed, or everything was undone.
  /// - Throws: The error that `count` throws. The transaction is unchanged then.
  /// - Complexity: O(*k* log *n*) for *k* nodes selected or deselected.
  @specialized(where Width == Fanout<64>)
  public func hasSelectionChanges(
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) -> Bool {
    let watcher = editor.base.watchers[editor.base.slot(of: id)]
    try count(watcher.selectedBefore.count)
    return watcher.selectedBefore.contains { node, before in
      editor.base.forest.isAttached(node) && before != watcher.selected.contains(node)
    }
  }

  /// The approximate memory of a selected node in a view, in bytes.
  public static var bytesPerSelectedNode: Int { 3 * MemoryLayout<NodeID>.stride }
}

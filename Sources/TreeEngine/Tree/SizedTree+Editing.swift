// Changes of the nodes, and of the orders of siblings.
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
    try editor.arrange(children: wanted, of: parent, counting: count)
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
    try editor.setChildOrder(wanted, of: parent, counting: count)
  }

  /// Sets the state of a node's children, and the number to report until they are loaded.
  ///
  /// A node that becomes a leaf loses its toggles in all views. If it gains children again, its
  /// expansion follows the rule.
  ///
  /// - Parameters:
  ///   - state: The new state. Existing children stay.
  ///   - hint: The number of children to report while there are none; nil if unknown.
  ///   - node: The node.
  /// - Precondition: A node that becomes a leaf has no children. `hint` is nil for a leaf, and for
  ///   a node whose children are loaded.
  /// - Complexity: O(1); O(views · log *n*) for a node that becomes a leaf.
  @specialized(where Width == Fanout<64>)
  public mutating func setChildState(_ state: ChildState, hint: Int32? = nil, of node: NodeID) {
    editor.setChildState(state, hint: hint, of: node)
  }

  /// Inserts a subtree, or several side by side, as children of a node.
  ///
  /// - Parameters:
  ///   - nodes: The subtrees in pre-order. The depths are relative to the parent's children. A node
  ///     with descendants becomes `loaded`.
  ///   - bytes: The bytes that the ranges of the nodes refer to.
  ///   - parent: The parent; ``NodeID/forestRoot`` for roots.
  ///   - index: The number of siblings before the first subtree.
  ///   - hash: The hash of the first node's key, if it was prefetched; see ``expect(_:)``.
  ///   - count: Counts the steps.
  /// - Returns: The root of the first subtree.
  /// - Throws: ``TreeError/duplicateKey(offset:)``, ``TreeError/indexOutOfRange(childCount:)``,
  ///   ``TreeError/depthLimit(_:)``. ``TreeError/interrupted`` if `count` throws; the transaction
  ///   must be rolled back then.
  /// - Complexity: O(*m* + log *n*) for *m* nodes, on average.
  @specialized(where Width == Fanout<64>)
  @discardableResult
  public mutating func insert(
    _ nodes: ArraySlice<NewNode>,
    bytes: [UInt8],
    under parent: NodeID,
    at index: Int,
    hash: UInt32? = nil,
    counting count: StepCounter
  ) throws(TreeError) -> NodeID {
    try editor.insert(nodes, bytes: bytes, under: parent, at: index, hash: hash, counting: count)
  }

  /// Removes a node and its descendants; their keys become free.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(*m* + log *n*) for *m* nodes.
  @specialized(where Width == Fanout<64>)
  public mutating func remove(
    _ node: NodeID,
    counting count: StepCounter
  ) throws(Interruption) {
    try editor.remove(node, counting: count)
  }

  /// Replaces a node's object.
  ///
  /// - Complexity: O(bytes).
  @specialized(where Width == Fanout<64>)
  public mutating func update(_ node: NodeID, object: Span<UInt8>) {
    editor.update(node, object: object)
  }

  /// Moves a node and its descendants to an index among the children of a node.
  ///
  /// A new parent becomes `loaded`.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - parent: The new parent; ``NodeID/forestRoot`` to make it a root.
  ///   - index: The number of siblings before it, not counting itself.
  ///   - count: Counts the steps.
  /// - Throws: ``TreeError/cycle`` or ``TreeError/indexOutOfRange(childCount:)``.
  ///   ``TreeError/depthLimit(_:)`` if the node moves deeper and a node would be too deep.
  ///   ``TreeError/interrupted`` if `count` throws; the transaction must be rolled back then.
  /// - Complexity: O((*t* + 1) log *n*) for *t* toggled nodes in the subtree, and O(rows moved) if
  ///   they are listed.
  @specialized(where Width == Fanout<64>)
  public mutating func move(
    _ node: NodeID,
    under parent: NodeID,
    at index: Int,
    counting count: StepCounter
  ) throws(TreeError) {
    try editor.move(node, under: parent, at: index, counting: count)
  }

  /// Returns true if a node or a descendant is deeper than ``maxDepth``.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - count: Counts the steps.
  /// - Returns: True if one of them is too deep.
  /// - Throws: ``TreeError/interrupted`` if `count` throws.
  /// - Complexity: O(*m*) for the *m* nodes of the subtree if there are enough to be too deep, else
  ///   O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func isTooDeep(
    atOrBelow node: NodeID,
    counting count: StepCounter
  ) throws(TreeError) -> Bool {
    try editor.isTooDeep(atOrBelow: node, counting: count)
  }

  /// Makes nodes that have no place in the tree until ``link(_:under:at:counting:)`` is called.
  ///
  /// - Parameters:
  ///   - nodes: The nodes in any order; their depths are ignored.
  ///   - bytes: The bytes that the ranges of the nodes refer to.
  ///   - count: Counts the steps.
  /// - Returns: The ids of the nodes, in the same order. All must be linked before the commit.
  /// - Throws: ``TreeError/duplicateKey(offset:)``; no node is made then.
  ///   ``TreeError/interrupted`` if `count` throws; the transaction must be rolled back then.
  /// - Complexity: O(*m*) for *m* nodes, on average.
  @specialized(where Width == Fanout<64>)
  public mutating func make(
    _ nodes: ArraySlice<NewNode>,
    bytes: [UInt8],
    counting count: StepCounter
  ) throws(TreeError) -> [NodeID] {
    try editor.make(nodes, bytes: bytes, counting: count)
  }

  /// Reserves capacity for `count` more nodes, if this is more than the number of nodes in the
  /// tree.
  ///
  /// For fewer nodes the capacity grows step by step. Repeated exact growth would copy the table
  /// each time.
  ///
  /// - Complexity: O(nodes).
  @specialized(where Width == Fanout<64>)
  public mutating func reserve(nodes count: Int) {
    if count > editor.base.forest.nodeCount { editor.base.forest.keyTable.reserve(count) }
  }

  /// Links made nodes as subtrees side by side.
  ///
  /// - Parameters:
  ///   - run: The subtrees in pre-order. The depths are relative to the parent's children. A node
  ///     with descendants becomes `loaded`.
  ///   - parent: The parent; ``NodeID/forestRoot`` for roots.
  ///   - index: The number of siblings before the first subtree.
  ///   - count: Counts the steps.
  /// - Throws: ``TreeError/indexOutOfRange(childCount:)``, ``TreeError/depthLimit(_:)``.
  ///   ``TreeError/interrupted`` if `count` throws; the transaction must be rolled back then.
  /// - Precondition: This transaction has made the nodes, and they are not linked yet.
  /// - Complexity: O(*m* + log *n*) for *m* nodes.
  @specialized(where Width == Fanout<64>)
  public mutating func link(
    _ run: [(node: NodeID, depth: Int32)],
    under parent: NodeID,
    at index: Int,
    counting count: StepCounter
  ) throws(TreeError) {
    try editor.link(run, under: parent, at: index, counting: count)
  }

  // MARK: Orders of siblings

  /// Adds an ordering of all nodes.
  ///
  /// A rollback of the transaction removes it.
  ///
  /// - Parameters:
  ///   - sorter: Sorts siblings.
  ///   - count: Counts the steps.
  /// - Returns: Its name.
  /// - Throws: The error of counting or sorting. Nothing was added then.
  /// - Complexity: O(*n*), and the cost of sorting.
  @specialized(where Width == Fanout<64>)
  public mutating func addOrdering(
    by sorter: any SiblingSorter<Width>,
    counting count: StepCounter
  ) throws(Interruption) -> OrderingID {
    let nodes = try OrderingUpkeep(sorter: sorter).sortedNodes(of: self, count)
    return editor.add(Ordering(OrderingID(number: editor.base.orderingCount), nodes))
  }

  /// Updates an ordering after the changes of the running transaction.
  ///
  /// Must be called for each of ``orderingIDs``, before the rows of views are updated.
  ///
  /// - Parameters:
  ///   - id: The ordering.
  ///   - sorter: Sorts siblings, as it did when the ordering was added.
  ///   - count: Counts the steps.
  /// - Throws: The error of counting or sorting. The transaction must be rolled back then.
  /// - Complexity: O(*k* log² *n*) for *k* nodes made, updated, moved and removed; O(*n*) if they
  ///   are many.
  @specialized(where Width == Fanout<64>)
  public mutating func update(
    _ id: OrderingID,
    by sorter: any SiblingSorter<Width>,
    counting count: StepCounter
  ) throws(Interruption) {
    let place = editor.base.place(of: id)
    guard let transaction = editor.transaction else {
      preconditionFailure("no transaction is running")
    }
    let steps = transaction.inverses.count
    let followed = editor.base.orderings[place].followedSteps
    editor.base.orderings[place].followedSteps = steps
    try count((steps - followed) / 8)
    guard transaction.inverses[followed...].contains(where: \.changesNodes) else { return }
    guard followed == 0, !editor.base.orderings[place].isNew else {
      let nodes = try OrderingUpkeep(sorter: sorter).sortedNodes(of: self, count)
      return editor.base.orderings[place].replace(by: nodes)
    }
    var changes = DataChanges<Width>()
    changes.add(transaction, in: editor.base.forest)
    let doubtful = OrderingUpkeep.doubtfulNodes(of: transaction, in: editor.base.forest)
    try follow(changes, doubting: doubtful, at: place, sorter, count)
  }

  /// Updates an ordering after changes of the data; see ``OrderingUpkeep``.
  ///
  /// - Throws: The error of counting or sorting. A rollback undoes what was done.
  mutating func follow(
    _ changes: DataChanges<Width>,
    doubting doubtful: [NodeID],
    at place: Int,
    _ sorter: any SiblingSorter<Width>,
    _ count: StepCounter
  ) throws(Interruption) {
    var ordering = editor.base.orderings[place]
    // The ordering is stored even after an error, because its edits are needed for the rollback.
    defer { editor.base.orderings[place] = ordering }
    let upkeep = OrderingUpkeep(sorter: sorter)
    try upkeep.follow(changes, doubting: doubtful, by: &ordering, in: self, count)
  }

  /// An upper bound of the memory of one more ordering and of making it, in bytes.
  ///
  /// - Complexity: O(1).
  public var orderingBytes: Int {
    @specialized(where Width == Fanout<64>)
    get { editor.base.forest.nodeCount * Self.bytesPerOrderedNode }
  }

  /// The bytes of a record and an entry, and of the lists out of which they are made.
  private static var bytesPerOrderedNode: Int { 96 }
}

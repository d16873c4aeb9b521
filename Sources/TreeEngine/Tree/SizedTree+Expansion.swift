// The expansion of views.
extension SizedTree {
  /// Expands a node.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public mutating func expand(_ node: NodeID, in id: ViewID) {
    editor.expand(node, in: id)
  }

  /// Collapses a node.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public mutating func collapse(_ node: NodeID, in id: ViewID) {
    editor.collapse(node, in: id)
  }

  /// Returns the nodes on `levels` levels, from a node on, that are collapsed and can be expanded.
  ///
  /// The first level is the node itself. The result is in pre-order.
  ///
  /// - Throws: The error that `count` throws.
  /// - Complexity: O(log *n*) for one level; else O(*m* log *n*) for *m* nodes read.
  @specialized(where Width == Fanout<64>)
  public func collapsedNodes(
    from node: NodeID,
    levels: Int,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) -> [NodeID] {
    try editor.collapsedNodes(from: node, levels: levels, in: id, counting: count)
  }

  /// Expands collapsed nodes.
  ///
  /// - Precondition: All of them are collapsed, and none is a leaf.
  /// - Parameters:
  ///   - nodes: The nodes in pre-order.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(*m* log *n*) for *m* nodes.
  @specialized(where Width == Fanout<64>)
  public mutating func expand(
    _ nodes: [NodeID],
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    try editor.expand(nodes, in: id, counting: count)
  }

  /// Collapses a node, and its descendants within `levels` levels.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - levels: The number of levels, that of the node included.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(log *n*) for one level. Otherwise O(*m* log *n*) for the *m* nodes of the
  ///   subtree, or for its toggled nodes if the rule does not expand the node.
  @specialized(where Width == Fanout<64>)
  public mutating func collapse(
    _ node: NodeID,
    levels: Int,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    try editor.collapse(node, levels: levels, in: id, counting: count)
  }

  /// Expands a root that was just made: in each view whatever its rule, and in each expansion that
  /// a filter keeps aside.
  ///
  /// - Complexity: O(views · log *n*).
  @specialized(where Width == Fanout<64>)
  public mutating func expandInAllViews(_ node: NodeID) {
    editor.expandInAllViews(node)
  }

  /// Returns true if a node is expanded in a view; false for a leaf.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func isExpanded(_ node: NodeID, in id: ViewID) -> Bool {
    editor.base.isExpanded(node, in: id)
  }

  /// Returns the siblings of a node that are expanded in a view, in order.
  ///
  /// - Complexity: O(*s* log *n*) for *s* siblings. If the rule expands none of them, O(*t* log
  ///   *n*) for *t* toggled nodes if those are fewer.
  @specialized(where Width == Fanout<64>)
  public func expandedSiblings(of node: NodeID, in id: ViewID) -> [NodeID] {
    editor.base.expandedSiblings(of: node, in: id)
  }

  /// Returns the number of nodes that ``expandedSiblings(of:in:)`` reads.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func siblingsAsked(of node: NodeID, in id: ViewID) -> Int {
    editor.base.siblingsAsked(of: node, in: id)
  }

  /// Returns the rule of a view.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func rule(of id: ViewID) -> ExpansionRule {
    editor.base.watchers[editor.base.slot(of: id)].view.rule
  }

  /// Returns the number of nodes that differ from the rule of a view.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func toggledCount(in id: ViewID) -> Int {
    editor.base.watchers[editor.base.slot(of: id)].view.toggles.count
  }

  /// Returns true if a node differs from the rule of a view.
  ///
  /// - Parameters:
  ///   - node: The node, which may have been removed.
  ///   - id: The view.
  /// - Returns: True if it is toggled.
  /// - Complexity: O(1) on average.
  @specialized(where Width == Fanout<64>)
  public func isToggled(_ node: NodeID, in id: ViewID) -> Bool {
    editor.base.watchers[editor.base.slot(of: id)].view.isToggled(node)
  }

  /// Returns true if a node differs from the rule in the expansion that a view has without its
  /// filter.
  ///
  /// - Complexity: O(1) on average.
  @specialized(where Width == Fanout<64>)
  public func isToggledWithoutFilter(_ node: NodeID, in id: ViewID) -> Bool {
    let slot = editor.base.slot(of: id)
    return (editor.base.watchers[slot].aside ?? editor.base.watchers[slot].view).isToggled(node)
  }

  /// Returns true if a view without a filter has an expansion.
  ///
  /// - Complexity: O(toggled nodes).
  @specialized(where Width == Fanout<64>)
  public func shows(_ expansion: PreparedLayer<Width>.Expansion, in id: ViewID) -> Bool {
    let slot = editor.base.slot(of: id)
    return editor.base.watchers[slot].view.rule == expansion.rule
      && editor.base.watchers[slot].view.toggledNodes == Set(expansion.toggled)
  }

  /// Returns the nodes that differ from the rule of a view, in pre-order.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - proceeds: Called for each node read; false ends the search.
  /// - Returns: The nodes; none if the search was ended.
  /// - Complexity: O(*t* log *n*) for *t* of them.
  @specialized(where Width == Fanout<64>)
  public func toggledNodes(
    in id: ViewID,
    while proceeds: () -> Bool = { true }
  ) -> [NodeID] {
    editor.base.inPreOrder(
      editor.base.watchers[editor.base.slot(of: id)].view.toggles,
      while: proceeds
    )
  }

  /// Expands all ancestors of nodes, so that the nodes become rows.
  ///
  /// - Parameters:
  ///   - nodes: The nodes.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O((*k* + *t*) log *n*) for *k* nodes with *t* collapsed ancestors.
  @specialized(where Width == Fanout<64>)
  public mutating func reveal(
    _ nodes: [NodeID],
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    try editor.reveal(nodes, in: id, counting: count)
  }

  /// Returns the collapsed ancestors of a node, the topmost first.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Returns: The nodes.
  /// - Throws: The error that `count` throws.
  /// - Complexity: O((*t* + 1) log *n*) for *t* of them.
  @specialized(where Width == Fanout<64>)
  public func collapsedAncestors(
    of node: NodeID,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) -> [NodeID] {
    let view = editor.base.watchers[editor.base.slot(of: id)].view
    var found: [NodeID] = []
    var place = editor.base.forest.place(of: node)
    while let above = view.nearestCollapsed(above: place, in: editor.base.forest) {
      try count(1)
      found.append(editor.base.forest.node(at: above))
      place = above
    }
    return found.reversed()
  }

  /// Sets the rule of a view, and discards its toggles.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - exceptions: The nodes that differ from it. None may be a leaf.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(*r* log *n*), where *r* is the smaller of the row counts before and after, and
  ///   O(rows listed). O(*n*) if the tree has a node whose children are not loaded
  ///   (``hasUnloaded``).
  @specialized(where Width == Fanout<64>)
  public mutating func setRule(
    _ rule: ExpansionRule,
    toggling exceptions: [NodeID] = [],
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    try editor.setRule(rule, toggling: exceptions, in: id, counting: count)
  }

  /// The number of different rules of levels among the views.
  ///
  /// Each has an index of O(*n* / fan-out), which every change of the nodes updates.
  ///
  /// - Complexity: O(1).
  public var levelRuleCount: Int {
    @specialized(where Width == Fanout<64>)
    get { editor.base.indexes.count }
  }

  /// Returns true if a view can get a rule without a new index.
  ///
  /// - Complexity: O(rules of levels).
  @specialized(where Width == Fanout<64>)
  public func isIndexed(_ rule: ExpansionRule) -> Bool { editor.base.indexes.hasIndex(for: rule) }

  /// Returns the maximum memory that a new rule takes, without toggles; 0 if it needs no new index.
  ///
  /// - Complexity: O(rules of levels).
  @specialized(where Width == Fanout<64>)
  public func ruleBytes(of rule: ExpansionRule) -> Int {
    // The leaves of the forest may be half full.
    let leaves = 1 + 2 * editor.base.forest.nodeCount / Width.fanout
    return isIndexed(rule) ? 0 : LevelIndex<Width>.byteCount(ofLeaves: leaves)
  }

  /// True if the tree has a node whose children are `unloaded` or `failed`.
  ///
  /// - Complexity: O(1).
  public var hasUnloaded: Bool {
    @specialized(where Width == Fanout<64>)
    get { editor.base.forest.hasUnloaded }
  }

  /// The memory of a toggled node in a view, in bytes.
  public static var bytesPerToggle: Int { 2 * MemoryLayout<View<Width>.Mark>.stride + 64 }
}

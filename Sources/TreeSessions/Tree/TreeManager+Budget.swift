import TreeDomain
import TreeEngine

// What is over the budget of a call that may not block: told before anything is changed.
//
// Steps are about a tenth of a microsecond each, rather too many than too few: what is judged too
// long takes a way by another thread, what is judged too short keeps everybody else waiting. They
// were measured (`tree-bench weights`, `depth`, `find`, `sessions`): an ancestor takes 5 µs to open
// and 0.4 to walk to; a node 0.8 to come into another order, 0.3 to 0.8 to filter, 0.2 to search,
// 0.02 to come into the index of a rule of levels, 0.02 to let go of.
extension TreeManager {
  /// Refuses work for which the caller has no time.
  ///
  /// - Throws: `overloaded` with the tree's turn, over the budget.
  private func afford(_ steps: Int) throws(ServiceError) {
    guard let most = budget?.steps, steps > most, let turn = budget?.turn else { return }
    throw .busy(turn)
  }

  /// What every call on a session of a tree with sections looks up.
  func affordSections() throws(ServiceError) { try afford(4 * sections.all.count) }

  func afford(walking ancestors: Int) throws(ServiceError) { try afford(6 * ancestors) }

  /// One more ancestor than may be walked to before that is refused.
  var walkableAncestors: Int { budget.map { $0.steps / 6 + 1 } ?? .max }

  func afford(writing bytes: Int) throws(ServiceError) { try afford(bytes / 64) }

  func afford(finding keys: Int) throws(ServiceError) { try afford(30 * keys) }

  /// The most bytes of rows that are written: then that is refused, or the list is cut short.
  var maxRowBytes: Int {
    min(limits.maxAnswerBytes, budget.map { 64 * $0.steps + 63 } ?? .max)
  }

  func afford(searching cost: Int) throws(ServiceError) { try afford(cost) }

  func isLong(searching cost: Int) -> Bool { budget.map { cost > $0.steps } ?? false }

  /// What it costs to look for a text in a node.
  func searching(_ node: NodeID) -> Int { 4 + tree.object(of: node).count / 64 }

  /// What it costs to look at every node by a filter.
  private func filtering(_ filter: Filter?) -> Int {
    guard let filter else { return 8 * nodeCount }
    return filter.cost * (8 * nodeCount + tree.byteCount / 64)
  }

  /// What it costs to show every node in another order of rows, or those of a filter.
  private func showing(_ options: SessionOptions) -> Int {
    options.filter == nil && options.order == .depthFirst ? 0 : filtering(options.filter)
  }

  func afford(freeing nodes: Int) throws(ServiceError) { try afford(nodes / 4) }

  func afford(changesOf session: OpenSession, since: Revision) throws(ServiceError) {
    try afford(100 * Int(session.revision.number - since.number))
  }

  func afford(stateOf session: OpenSession) throws(ServiceError) {
    let nodes = tree.toggledCount(in: session.view) + tree.selectedCount(of: session.view)
    try afford(5 * nodes)
  }

  func afford(importing nodes: Import) throws(ServiceError) {
    guard budget != nil else { return }
    let bytes = nodes.parts.reduce(0) { $0 + $1.bytes.count }
    let filtering = tree.hasLayers ? filterCost * (nodes.nodeCount + bytes / 64) : 0
    try afford((nodes.nodeCount + 1) * (25 + 8 * sessions.count) + filtering)
  }

  /// What it costs to look at one small node by the filters of all sessions.
  var filterCost: Int { sessions.values.reduce(0) { $0 + $1.filterCost } }

  func afford(opening new: NewSession) throws(ServiceError) {
    var steps = settingRule(new.options.expansion) + opening(new.expandedKeys, of: new)
    steps += 8 * sections.all.count
    if let state = new.state {
      let keys = state.toggledKeys.count + state.filterToggledKeys.count
      steps += 30 * (keys + state.selectedKeys.count)
      if tree.hasUnloaded { steps += nodeCount / 2 }
    }
    try afford(steps + showing(new.options))
  }

  func afford(waking options: SessionOptions, naming nodes: Int) throws(ServiceError) {
    var steps = 100 + 60 * nodes + 8 * sections.all.count + settingRule(options.expansion)
    steps += showing(options)
    if tree.hasUnloaded { steps += nodeCount / 2 }
    try afford(steps)
  }

  func afford(
    _ patch: SessionPatch,
    of session: OpenSession,
    _ options: BatchOptions
  ) throws(ServiceError) {
    guard budget != nil else { return }
    var steps = 25
    if let rule = patch.expansion {
      steps += settingRule(rule) + shownAnew(in: session, options.format)
    }
    if patch.order != nil || patch.filter != nil {
      steps += filtering(patch.applied(to: session.options).filter)
    }
    if let order = patch.sort { steps += sorting(by: order) }
    if patch.selection != nil { steps += 12 * tree.selectedCount(of: session.view) }
    try afford(steps + copyingLayer(session, options))
  }

  func afford(
    _ batch: Batch,
    by session: OpenSession?,
    _ options: BatchOptions
  ) throws(ServiceError) {
    guard let most = budget?.steps else { return }
    var estimate = BatchEstimate(batch, by: session, options.format, self)
    // A first, coarse look: it spares the finer one where there is no doubt.
    try afford(estimate.steps)
    if let session { estimate.steps += copyingLayer(session, options) }
    for operation in batch.operations where estimate.steps <= most {
      estimate.add(operation, of: batch, by: session, in: self)
    }
    try afford(estimate.steps)
  }

  /// What it costs to sort all siblings.
  func sorting(by order: SortOrder) -> Int {
    60 * nodeCount + order.descriptors.count * tree.byteCount / 64
  }

  /// What trying something out costs that is to leave a layer as it was.
  private func copyingLayer(_ session: OpenSession, _ options: BatchOptions) -> Int {
    options.isDryRun ? layerRows(of: session) / 16 : 0
  }

  /// What it costs to open nodes with all their ancestors.
  private func opening(_ keys: [ByteSlice], of new: NewSession) -> Int {
    guard let budget else { return 0 }
    var steps = 50 * keys.count
    for key in keys where steps <= budget.steps {
      if let node = tree.node(forKey: new[key].span) { steps += 50 * tree.depth(of: node) }
    }
    return steps
  }

  /// The rows that are kept in a sequence of their own.
  func layerRows(of session: OpenSession) -> Int { session.isLayered ? rowCount(of: session) : 0 }

  /// What a rule costs to count by: one of levels may need an index.
  private func settingRule(_ rule: ExpansionRule) -> Int {
    rule == .all || rule == .none ? 0 : nodeCount / 100
  }

  /// What it costs to show everything by another rule.
  func shownAnew(in session: OpenSession, _ format: ChangeFormat) -> Int {
    let entries = format == .rows ? 3 * min(nodeCount, limits.maxChanges) : 0
    let layer = session.isLayered ? 4 * nodeCount : 0
    let toggled = 5 * tree.toggledCount(in: session.view)
    // Whoever expands nodes is told of those that nobody supplied, which are looked for.
    let unloaded = tree.hasUnloaded ? nodeCount / 2 : 0
    return rowCount(of: session) + toggled + entries + layer + unloaded
  }
}

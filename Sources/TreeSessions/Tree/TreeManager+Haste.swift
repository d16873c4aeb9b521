import TreeDomain
import TreeEngine

// What one in haste cannot wait for: told before anything is changed.
//
// Steps are about a tenth of a microsecond each, rather too many than too few: what is judged too
// long takes a way by another thread, what is judged too short keeps everybody else waiting. They
// were measured (`tree-bench weights`, `depth`, `find`, `sessions`): an ancestor takes 5 µs to open
// and 0.4 to walk to; a node 0.8 to come into another order, 0.3 to 0.8 to filter, 0.2 to search,
// 0.02 to come into the index of a rule of levels, 0.02 to let go of.
extension TreeManager {
  /// Refuses work for which the caller has no time.
  ///
  /// - Throws: `overloaded` with the tree's turn, in haste.
  private func afford(_ steps: Int) throws(ServiceError) {
    guard let most = haste?.steps, steps > most, let turn = haste?.turn else { return }
    throw .busy(turn)
  }

  /// What every call on a session of a tree with sections looks up.
  func affordSections() throws(ServiceError) { try afford(4 * sections.all.count) }

  func afford(walking ancestors: Int) throws(ServiceError) { try afford(6 * ancestors) }

  /// One more ancestor than may be walked to before that is refused.
  var walkableAncestors: Int { haste.map { $0.steps / 6 + 1 } ?? .max }

  func afford(writing bytes: Int) throws(ServiceError) { try afford(bytes / 64) }

  /// The most bytes that may be written before that is refused.
  var affordableBytes: Int { haste.map { 64 * $0.steps + 63 } ?? .max }

  func afford(searching nodes: Int) throws(ServiceError) { try afford(4 * nodes) }

  func isLong(searching nodes: Int) -> Bool {
    haste.map { 4 * nodes > $0.steps } ?? false
  }

  func afford(freeing nodes: Int) throws(ServiceError) { try afford(nodes / 4) }

  func afford(changesOf session: OpenSession, since: Revision) throws(ServiceError) {
    try afford(100 * Int(session.revision.number - since.number))
  }

  func afford(stateOf session: OpenSession) throws(ServiceError) {
    let nodes = tree.toggledCount(in: session.view) + tree.selectedCount(of: session.view)
    try afford(5 * nodes)
  }

  func afford(importing nodes: Int) throws(ServiceError) {
    try afford((nodes + 1) * (25 + 8 * sessions.count))
  }

  func afford(opening new: NewSession) throws(ServiceError) {
    var steps = settingRule(new.options.expansion) + opening(new.expandedKeys, of: new)
    if let state = new.state {
      let keys = state.toggledKeys.count + state.filterToggledKeys.count
      steps += 30 * (keys + state.selectedKeys.count)
    }
    if new.options.filter != nil { steps += 8 * nodeCount }
    if new.options.order != .depthFirst { steps += 8 * nodeCount }
    try afford(steps)
  }

  func afford(waking options: SessionOptions, naming nodes: Int) throws(ServiceError) {
    var steps = 100 + 60 * nodes + settingRule(options.expansion)
    if options.filter != nil || options.order != .depthFirst { steps += 8 * nodeCount }
    try afford(steps)
  }

  func afford(
    _ patch: SessionPatch,
    of session: OpenSession,
    _ options: BatchOptions
  ) throws(ServiceError) {
    guard haste != nil else { return }
    var steps = 25
    if let rule = patch.expansion {
      steps += settingRule(rule) + shownAnew(in: session, options.format)
    }
    if patch.order != nil { steps += 8 * nodeCount }
    if patch.filter != nil { steps += 8 * nodeCount }
    if patch.sort != nil { steps += 60 * nodeCount }
    if patch.selection != nil { steps += 12 * tree.selectedCount(of: session.view) }
    try afford(steps + copyingLayer(session, options))
  }

  func afford(
    _ batch: Batch,
    by session: OpenSession?,
    _ options: BatchOptions
  ) throws(ServiceError) {
    guard let most = haste?.steps else { return }
    var estimate = BatchEstimate(batch, by: session, options.format, self)
    // A first, coarse look: it spares the finer one where there is no doubt.
    try afford(estimate.steps)
    if let session { estimate.steps += copyingLayer(session, options) }
    let operations = batch.operations.span
    for place in operations.indices where estimate.steps <= most {
      estimate.add(operations[place], of: batch, by: session, in: self)
    }
    try afford(estimate.steps)
  }

  /// What trying something out costs that is to leave a layer as it was.
  private func copyingLayer(_ session: OpenSession, _ options: BatchOptions) -> Int {
    options.isDryRun ? layerRows(of: session) / 16 : 0
  }

  /// What it costs to open nodes with all their ancestors.
  private func opening(_ keys: [ByteSlice], of new: NewSession) -> Int {
    guard let haste else { return 0 }
    var steps = 50 * keys.count
    for key in keys where steps <= haste.steps {
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
    return rowCount(of: session) + toggled + entries + layer
  }
}

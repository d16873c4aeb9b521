import TreeDomain
import TreeEngine

// What one in haste cannot wait for: told before anything is changed.
//
// Steps are about a tenth of a microsecond each, rather too many than too few: what is judged too
// long takes a way by another thread, what is judged too short keeps everybody else waiting.
extension TreeManager {
  /// Refuses work for which the caller has no time.
  ///
  /// - Throws: `overloaded` with the tree's turn, in haste.
  private func afford(_ steps: Int) throws(ServiceError) {
    guard let haste, steps > haste.steps else { return }
    throw .busy(haste.turn)
  }

  /// What every call on a session of a tree with sections looks up.
  func affordSections() throws(ServiceError) { try afford(4 * sections.all.count) }

  func afford(walking ancestors: Int) throws(ServiceError) { try afford(6 * ancestors) }

  func afford(writing bytes: Int) throws(ServiceError) { try afford(bytes / 64) }

  func afford(searching nodes: Int) throws(ServiceError) { try afford(4 * nodes) }

  func isLong(searching nodes: Int) -> Bool {
    haste.map { 4 * nodes > $0.steps } ?? false
  }

  func afford(freeing nodes: Int) throws(ServiceError) { try afford(nodes / 16) }

  func afford(changesOf session: OpenSession, since: Revision) throws(ServiceError) {
    try afford(100 * Int(session.revision.number - since.number))
  }

  func afford(stateOf session: OpenSession) throws(ServiceError) {
    let nodes = tree.toggledCount(in: session.view) + tree.selectedCount(of: session.view)
    try afford(5 * nodes)
  }

  func afford(importing nodes: Int) throws(ServiceError) {
    try afford((nodes + 1) * (25 + 8 * sessions.count) + copying)
  }

  func afford(opening new: NewSession) throws(ServiceError) {
    var steps = settingRule(new.options.expansion) + 50 * new.expandedKeys.count
    if let state = new.state {
      let keys = state.toggledKeys.count + state.filterToggledKeys.count
      steps += 30 * (keys + state.selectedKeys.count)
    }
    if new.options.filter != nil { steps += 8 * nodeCount }
    if new.options.order != .depthFirst { steps += 4 * nodeCount }
    try afford(steps)
  }

  func afford(
    _ patch: SessionPatch,
    of session: OpenSession,
    _ options: BatchOptions
  ) throws(ServiceError) {
    guard haste != nil else { return }
    var steps = 25
    if let rule = patch.expansion { steps += settingRule(rule) + shownAnew(in: session, options) }
    if patch.order != nil { steps += 4 * nodeCount }
    if patch.filter != nil { steps += 8 * nodeCount }
    if patch.sort != nil { steps += 10 * nodeCount + copying }
    if patch.selection != nil { steps += 5 * tree.selectedCount(of: session.view) }
    try afford(steps + copyingLayer(session, options))
  }

  func afford(
    _ batch: Batch,
    by session: OpenSession?,
    _ options: BatchOptions
  ) throws(ServiceError) {
    guard let haste else { return }
    var estimate = BatchEstimate(batch, by: session, options, self)
    // A first, coarse look: it spares the finer one where there is no doubt.
    try afford(estimate.steps)
    if let session { estimate.steps += copyingLayer(session, options) }
    for operation in batch.operations {
      estimate.add(operation, in: self)
      if estimate.steps > haste.steps { break }
    }
    try afford(estimate.steps)
  }

  /// What the first change costs while an export is read, with which the tree shares its memory.
  var copying: Int { exports.isAny ? nodeCount / 16 : 0 }

  /// What trying something out costs that is to leave a layer as it was.
  private func copyingLayer(_ session: OpenSession, _ options: BatchOptions) -> Int {
    options.isDryRun ? layerRows(of: session) / 16 : 0
  }

  /// The rows that are kept in a sequence of their own.
  func layerRows(of session: OpenSession) -> Int { session.isLayered ? rowCount(of: session) : 0 }

  /// What a rule costs to count by: one of levels may need an index.
  private func settingRule(_ rule: ExpansionRule) -> Int {
    rule == .all || rule == .none ? 0 : nodeCount / 4
  }

  /// What it costs to show everything by another rule.
  func shownAnew(in session: OpenSession, _ options: BatchOptions) -> Int {
    let entries = options.format == .rows ? 3 * min(nodeCount, limits.maxChanges) : 0
    let layer = session.isLayered ? 4 * nodeCount : 0
    let toggled = 5 * tree.toggledCount(in: session.view)
    return rowCount(of: session) + toggled + entries + layer
  }
}

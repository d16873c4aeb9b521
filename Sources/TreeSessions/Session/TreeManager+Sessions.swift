import TreeDomain
import TreeEngine

// Opening, describing and closing sessions.
extension TreeManager {
  /// Opens a session on the tree.
  ///
  /// - Parameters:
  ///   - id: The id of the session.
  ///   - new: The session.
  ///   - prepared: The rows of its filter or order, if they were made on a copy of the tree.
  /// - Returns: The session.
  /// - Throws: `tree-not-found`; `node-not-found` for an expanded key; `overloaded`; and the errors
  ///   of the meter. Nothing has changed then.
  mutating func open(
    _ id: SessionID,
    _ new: NewSession,
    adopting prepared: PreparedRows? = nil
  ) throws(ServiceError) -> OpenSession {
    guard !hasEnded else { throw .treeNotFound }
    try checkRoom(for: new.options.expansion, new.state?.filterExpansion)
    try demand(size(opening: new))
    if prepared == nil { publishCopy(before: size(opening: new)) }
    try admit(bytes(of: new), for: nil)
    let rule = engineRule(new.options.expansion)
    let view = tree.addView(rule: rule, toggling: rule == .none ? sections.all.map(\.node) : [])
    let session = OpenSession(
      id: id,
      view: view,
      options: new.options,
      revisions: RevisionLog(startingAt: tree.commitNumber, dataCommits)
    )
    begin()
    do throws(ServiceError) {
      try show(new, in: session, adopting: prepared)
      try updateAllRows(and: session)
    } catch {
      undo()
      // A copy is not used after that.
      if !copying.isCopy { tree.removeView(view) }
      countUsage()
      throw error
    }
    commit(opening: session)
    return session
  }

  /// Commits the transaction that has made a new session's rows, and adds the session.
  ///
  /// On a copy, this is left to ``install(_:)``.
  mutating func commit(opening session: OpenSession) {
    if copying.isCopy {
      sessions[session.id] = session
      copying.pending = .init(isData: false, author: session.id, isOpening: true)
      return
    }
    // Nobody asks for changes before this commit, so it must not displace the past of others.
    tree.commit(isRemembered: false)
    session.revisions = RevisionLog(startingAt: tree.commitNumber, dataCommits)
    session.lastUse = time
    enter(session)
    changeCount += 1
    countUsage()
    copying.published?.withdraw()
  }

  /// Adds a session that is awake.
  ///
  /// Its memory is charged to the current caller.
  mutating func enter(_ session: OpenSession) {
    session.countOptions(in: optionBytes)
    shareFilter(of: session)
    session.charge = usage.callers.charge(to: meter.payer)
    charge(session)
    sessions[session.id] = session
  }

  /// Shares a session's filter with sessions that have an equal one, and with copies of the tree.
  ///
  /// - Complexity: O(length of the filter) on average; O(1) if it is shared.
  mutating func shareFilter(of session: OpenSession) {
    guard session.sharedFilter == nil, let filter = session.options.filter else { return }
    session.sharedFilter = filters.share(filter)
  }

  /// Updates the memory that is charged to the session's caller.
  ///
  /// - Complexity: O(1).
  func charge(_ session: OpenSession) {
    session.charge?.set(OpenSession.bytes + tree.viewBytes(of: session.view))
  }

  /// Applies the initial expansion, selection, filter and orders of a new session.
  private mutating func show(
    _ new: NewSession,
    in session: OpenSession,
    adopting prepared: PreparedRows?
  ) throws(ServiceError) {
    if let state = new.state { try restore(state, in: session) }
    try meter.count(new.expandedKeys.count)
    var expanded: [NodeID] = []
    for key in new.expandedKeys { expanded.append(try find(new[key])) }
    try counted { tree, count throws(Interruption) in
      try tree.reveal(expanded, in: session.view, counting: count)
    }
    for node in expanded { tree.expand(node, in: session.view) }
    if let prepared, try adopt(prepared, new.options, in: session) { return }
    if session.isLayered { try showLayers(of: session, new.state) }
  }

  /// Ends a session.
  ///
  /// Ends the tree as well if it belongs to the session alone.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - expired: True if it was idle for too long; false if it was deleted.
  /// - Returns: True if the session existed.
  /// - Throws: The errors of ``demand(_:)``.
  mutating func close(_ id: SessionID, expired: Bool = false) throws(ServiceError) -> Bool {
    let reason = expired ? ServiceError.sessionExpired : .sessionDeleted
    guard sessions[id] != nil || asleep.sessions[id] != nil else { return false }
    defer { changeCount += 1 }
    copying.changes += 1
    if isPrivate {
      _ = try end(telling: reason)
    } else if let session = sessions[id] {
      try demand(WorkSize(nodes: tree.toggledCount(in: session.view) + layerRows(of: session)))
      sessions[id] = nil
      session.stopCounting()
      followed.remove(session)
      end(followersOf: session, reason)
      tree.removeView(session.view)
      removeUnusedOrderings()
      countReplays(-session.replays.weight)
      countUsage()
    } else {
      return endSleeping(id)
    }
    return true
  }

  /// Tells the followers of a session that it has ended, as soon as that is on disk.
  func end(followersOf session: OpenSession, _ reason: ServiceError) {
    let durability = journal?.running ?? Durability()
    for follower in session.followers { follower.end(reason, until: durability) }
  }

  /// Returns the description of a session.
  func description(of session: OpenSession) -> SessionDescription {
    var arena = AnswerArena()
    var options = session.options
    options.sort = sort
    options.expansion = contractRule(tree.unfilteredRule(of: session.view))
    return SessionDescription(
      session: session.id,
      tree: id,
      revision: session.revision,
      treeRevision: treeRevision,
      rowCount: rowCount(of: session),
      nodeCount: nodeCount,
      selectedCount: tree.selectedCount(of: session.view),
      sections: sectionNames(&arena),
      options: options,
      arena: arena.bytes
    )
  }

  /// Checks that the tree may have further rules with levels.
  ///
  /// Each rule makes changes slower.
  ///
  /// - Throws: `overloaded`.
  func checkRoom(for rules: ExpansionRule?...) throws(ServiceError) {
    var new: Set<ExpansionRule> = []
    for case let rule? in rules where !tree.isIndexed(engineRule(rule)) { new.insert(rule) }
    guard !new.isEmpty, tree.levelRuleCount + new.count > limits.maxExpansionRulesPerTree else {
      return
    }
    throw .overloaded(
      limit: limits.maxExpansionRulesPerTree,
      "The tree's sessions are expanded by as many different numbers of levels as they may; use"
        + " one of those, or expand nodes one by one."
    )
  }

  /// Returns the engine's form of an expansion rule.
  ///
  /// In the engine, sections are the top level, so the number of levels is one greater.
  /// ``ExpansionRule/none`` stays as it is: each section is then expanded by a toggle of its own,
  /// which needs no index of the roots.
  func engineRule(_ rule: ExpansionRule) -> ExpansionRule {
    guard case .levels(let levels) = rule, levels > 0 else { return rule }
    return .levels(min(levels, .max - 1) + 1)
  }

  /// Returns the contract's form of a rule of the engine.
  func contractRule(_ rule: ExpansionRule) -> ExpansionRule {
    guard case .levels(let levels) = rule, levels > 0 else { return rule }
    return .levels(levels - 1)
  }

  /// Returns the sections whose expansion differs from a rule, given the collapsed sections.
  func sectionToggles(under rule: ExpansionRule, collapsed: Set<NodeID>) -> [NodeID] {
    sections.all.map(\.node).filter { (rule == .none) != collapsed.contains($0) }
  }
}

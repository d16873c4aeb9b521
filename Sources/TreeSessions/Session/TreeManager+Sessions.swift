import JSON
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
    try admitOtherKind()
    try content.checkRoom(for: new.options.expansion, new.state?.filterExpansion)
    try content.demand(WorkSize(opening: new, in: content))
    if prepared == nil { publishCopy(before: WorkSize(opening: new, in: content)) }
    try admit(content.bytes(of: new), for: nil)
    let rule = new.options.expansion.inEngine
    let view = content.tree.addView(
      rule: rule,
      toggling: rule == .none ? content.sections.all.map(\.node) : []
    )
    let session = OpenSession(
      id: id,
      view: view,
      options: new.options,
      revisions: RevisionLog(startingAt: content.tree.commitNumber, content.dataCommits)
    )
    begin()
    do throws(ServiceError) {
      try show(new, in: session, adopting: prepared)
      try updateAllRows(and: session)
    } catch {
      undo()
      // A copy is not used after that.
      if !copying.isCopy { content.tree.removeView(view) }
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
      sessions.add(session)
      copying.pending = .init(isData: false, author: session.id, isOpening: true)
      return
    }
    // Nobody asks for changes before this commit, so it must not displace the past of others.
    content.tree.commit(isRemembered: false)
    session.revisions = RevisionLog(startingAt: content.tree.commitNumber, content.dataCommits)
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
    session.count(in: content.account.sessionBytes)
    sessions.shareFilter(of: session)
    session.charge = content.account.usage.callers.charge(to: meter.payer)
    content.charge(session)
    sessions.add(session)
  }

  /// Applies the initial expansion, selection, filter and orders of a new session.
  private mutating func show(
    _ new: NewSession,
    in session: OpenSession,
    adopting prepared: PreparedRows?
  ) throws(ServiceError) {
    let view = ViewEditing(session: session)
    if let state = new.state { try view.restore(state, in: &content) }
    try content.meter.count(new.expandedKeys.count)
    var expanded: [NodeID] = []
    for key in new.expandedKeys { expanded.append(try content.find(new[key])) }
    try content.counted { tree, count throws(Interruption) in
      try tree.reveal(expanded, in: session.view, counting: count)
    }
    for node in expanded { content.tree.expand(node, in: session.view) }
    if let prepared, try view.adopt(prepared, new.options, in: &content) { return }
    if session.isLayered { try view.showLayers(new.state, in: &content) }
  }

  /// Ends a session.
  ///
  /// Ends the tree as well if it belongs to the session alone.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - expired: True if it was idle for too long; false if it was deleted.
  /// - Returns: True if the session existed.
  /// - Throws: The errors of ``TreeContent/demand(_:)``.
  mutating func close(_ id: SessionID, expired: Bool = false) throws(ServiceError) -> Bool {
    let reason = expired ? ServiceError.sessionExpired : .sessionDeleted
    guard sessions[id] != nil || asleep.sessions[id] != nil else { return false }
    try admitOtherKind()
    if isPrivate {
      _ = try end(telling: reason)
    } else if let session = sessions[id] {
      try content.demand(
        WorkSize(
          nodes: content.tree.toggledCount(in: session.view) + content.layerRows(of: session)
        )
      )
      sessions.remove(session)
      end(followersOf: session, reason)
      content.tree.removeView(session.view)
      content.orderings.removeUnused(from: &content.tree)
      content.countReplays(-session.replays.weight)
      countUsage()
    } else if !endSleeping(id) {
      return false
    }
    changeCount += 1
    copying.changes += 1
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
    options.sort = content.sort
    options.expansion = content.tree.unfilteredRule(of: session.view).inContract
    return SessionDescription(
      session: session.id,
      tree: id,
      revision: session.revision,
      treeRevision: content.treeRevision,
      rowCount: content.rowCount(of: session),
      nodeCount: content.nodeCount,
      selectedCount: content.tree.selectedCount(of: session.view),
      sections: arena.append(content.sections.shown),
      options: options,
      arena: arena.bytes
    )
  }

  // MARK: Options

  /// Changes some options of a session, all or none.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - patch: The options to change.
  ///   - options: The options of the answer.
  ///   - now: The time in seconds.
  ///   - prepared: The rows of the new filter or order, if they were made on a copy of the tree.
  /// - Returns: The description of the session, and the changes of its rows.
  /// - Throws: `invalid-request`, `overloaded`, and the errors of the condition and the meter.
  ///   Nothing has changed then.
  mutating func patch(
    _ session: OpenSession,
    _ patch: SessionPatch,
    _ options: BatchOptions,
    at now: Int,
    adopting prepared: PreparedRows? = nil
  ) throws(ServiceError) -> PatchAnswer {
    if case .patch(var answer)? = try retries.kept(for: options, of: session, at: now, in: &content)
    {
      answer.list.wasReplayed = true
      return answer
    }
    try check(options.condition, at: session.revision)
    try admitOtherKind()
    if patch.sort != nil, !isPrivate {
      throw ServiceError(
        .invalidRequest,
        "The order of siblings belongs to the shared tree; leave `sort` out."
      )
    }
    try content.checkRoom(for: patch.expansion)
    try content.demand(WorkSize(of: patch, by: session, in: content))
    try admit(content.bytes(of: patch, for: session), for: session.id)
    if prepared == nil { publishCopy(before: WorkSize(of: patch, by: session, in: content)) }
    let former = session.options
    begin()
    do throws(ServiceError) {
      try apply(patch, to: session, adopting: prepared)
    } catch {
      // First, because the rollback counts the memory of the options.
      session.options = former
      undo()
      throw error
    }
    let isChanged = session.options != former || content.siblings.hasNewSort
    // Before the conclusion, which rolls back a dry run.
    var description = description(of: session)
    let changes: BatchAnswer
    do throws(ServiceError) {
      changes = try conclude(by: session, options, hasNewOptions: isChanged)
    } catch {
      session.options = former
      countUsage()
      throw error
    }
    description.setRevisions(of: changes)
    if options.isDryRun {
      session.options = former
      countUsage()
    }
    var answer = PatchAnswer(description, changes)
    guard options.replayKey != nil else { return answer }
    answer.list.text = JSONWriter.text { answer.write(to: &$0) }
    keep(.success(SessionAnswer(answer)), of: session, for: options, at: now)
    return answer
  }

  private mutating func apply(
    _ patch: SessionPatch,
    to session: OpenSession,
    adopting prepared: PreparedRows?
  ) throws(ServiceError) {
    if let value = patch.nestedExpansion { session.options.nestedExpansion = value }
    if let value = patch.accordion { session.options.accordion = value }
    if let value = patch.idleTimeoutSeconds { session.options.idleTimeoutSeconds = value }
    let view = ViewEditing(session: session)
    if let value = patch.selection { try view.setSelectionMode(value, in: &content) }
    if let order = patch.sort {
      content.siblings.setSort(order)
      if !order.isEmpty { try SiblingSort(by: order).sortEverything(in: &content) }
    }
    let options = patch.applied(to: session.options)
    if let prepared, try view.adopt(prepared, options, in: &content) { return }
    try view.apply(patch, in: &content)
  }
}

extension SessionDescription {
  /// Sets the revisions and the number of rows after a change of the session.
  mutating func setRevisions(of changes: BatchAnswer) {
    revision = changes.revision
    treeRevision = changes.treeRevision
    rowCount = changes.rowCount
  }
}

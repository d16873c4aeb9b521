import JSON
import TreeDomain
import TreeEngine

// Changing the options of a session.
extension TreeManager {
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
    if case .patch(var answer)? = try kept(for: options, of: session, at: now) {
      answer.list.wasReplayed = true
      return answer
    }
    try check(options.condition, at: session.revision)
    if patch.sort != nil, !isPrivate {
      throw ServiceError(
        .invalidRequest,
        "The order of siblings belongs to the shared tree; leave `sort` out."
      )
    }
    try checkRoom(for: patch.expansion)
    try demand(size(of: patch, by: session))
    try admit(bytes(of: patch, for: session), for: session.id)
    if prepared == nil { publishCopy(before: size(of: patch, by: session)) }
    let former = session.options
    begin()
    do throws(ServiceError) {
      try apply(patch, to: session, adopting: prepared)
    } catch {
      undo()
      session.options = former
      throw error
    }
    let isChanged = session.options != former || sort != before.sort
    // Before the conclusion, which rolls back a dry run.
    var description = description(of: session)
    let changes: BatchAnswer
    do throws(ServiceError) {
      changes = try conclude(by: session, options, hasNewOptions: isChanged)
    } catch {
      session.options = former
      throw error
    }
    description.revision = changes.revision
    description.treeRevision = changes.treeRevision
    description.rowCount = changes.rowCount
    if options.isDryRun { session.options = former }
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
    if let value = patch.selection { try setSelectionMode(value, in: session) }
    if let order = patch.sort {
      sort = order
      if !order.isEmpty { try sortEverything(by: order) }
    }
    if let prepared, try adopt(prepared, patch.applied(to: session.options), in: session) {
      return
    }
    if let value = patch.expansion { try setUnfilteredRule(value, in: session) }
    if let value = patch.order { try setOrder(value, in: session) }
    if let value = patch.viewSort { try setViewSort(value, in: session) }
    switch patch.filter {
    case .set(let filter): try setFilter(filter, in: session)
    case .clear: try setFilter(nil, in: session)
    case nil: break
    }
  }

  private mutating func setSelectionMode(
    _ mode: SelectionMode,
    in session: OpenSession
  ) throws(ServiceError) {
    session.options.selection = mode
    let fits =
      switch mode {
      case .none: tree.selectedCount(of: session.view) == 0
      case .single: tree.selectedCount(of: session.view) <= 1
      case .multiple: true
      }
    if !fits { try clearSelection(in: session) }
  }

  /// Sets the session's own expansion rule, which another one may replace while a filter is set.
  private mutating func setUnfilteredRule(
    _ rule: ExpansionRule,
    in session: OpenSession
  ) throws(ServiceError) {
    let toggled = Set(try counting { tree.unfilteredToggledNodes(in: session.view, while: $0) })
    let isToggleExpansion = tree.unfilteredRule(of: session.view) == .none
    let collapsed = sections.all.map(\.node).filter { toggled.contains($0) != isToggleExpansion }
    let rule = engineRule(rule)
    let toggles = sectionToggles(under: rule, collapsed: Set(collapsed))
    try counted { tree, count throws(Interruption) in
      try tree.setUnfilteredRule(rule, toggling: toggles, in: session.view, counting: count)
    }
  }

  private mutating func setOrder(
    _ order: RowOrder,
    in session: OpenSession
  ) throws(ServiceError) {
    guard order != session.options.order else { return }
    session.options.order = order
    let viewOrder = order == .breadthFirst ? ViewOrder.breadthFirst : .depthFirst
    try counted { tree, count throws(Interruption) in
      try tree.setOrder(viewOrder, in: session.view, counting: count)
    }
  }

  private mutating func setFilter(
    _ filter: Filter?,
    in session: OpenSession
  ) throws(ServiceError) {
    guard filter != session.options.filter else { return }
    session.options.filter = filter
    try counted { tree, count throws(Interruption) in
      try tree.setFilter(filter != nil, in: session.view, counting: count)
    }
  }

  /// Applies the filter and the orders to a new session.
  mutating func showLayers(
    of session: OpenSession,
    _ state: SessionState?
  ) throws(ServiceError) {
    let options = session.options
    session.options.filter = nil
    session.options.order = .depthFirst
    session.options.viewSort = SortOrder([])
    try setFilter(options.filter, in: session)
    if let state, options.filter != nil { try restoreFiltered(state, in: session) }
    try setOrder(options.order, in: session)
    try setViewSort(options.viewSort, in: session)
  }
}

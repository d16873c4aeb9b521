import TreeDomain
import TreeEngine

/// The parts of a session's view that were made on a copy.
struct PreparedRows {
  /// The rows with a new filter or order; `nil` if neither is set, or if they cannot be used.
  var layer: PreparedLayer<Fanout<64>>?
  /// A new order of siblings; `nil` if none is set, or if another session has the same one.
  var ordering: PreparedOrdering<Fanout<64>>?
  /// The expansion that a session gets with its filter; `nil` to expand everything.
  var filtered: PreparedLayer<Fanout<64>>.Expansion?
}

// Filters and orders that were applied on a copy are set in the tree, even if others have changed
// the tree meanwhile.
extension TreeManager {
  /// Returns the parts that a patch has made on a copy, if the current tree can use them.
  ///
  /// - Parameters:
  ///   - copy: The copy, with the patch applied.
  ///   - watch: The watch that began when the copy was made.
  ///   - patch: The patch.
  ///   - id: The session.
  /// - Returns: The parts; `nil` if none of them can be used, or if the patch also sets the
  ///   expansion, the tree's order or the selection mode.
  /// - Complexity: O(*k* log *n*) for *k* nodes that moved since the copy was made.
  func preparedRows(
    of copy: borrowing TreeManager,
    since watch: ChangeWatch,
    _ patch: SessionPatch,
    of id: SessionID
  ) -> PreparedRows? {
    guard patch.expansion == nil, patch.sort == nil, patch.selection == nil,
      let session = sessions[id]
    else { return nil }
    let options = patch.applied(to: session.options)
    return preparedRows(of: copy, since: watch, for: options, of: id, before: session.options)
  }

  /// Returns the parts that a session has got on a copy, if the current tree can use them.
  ///
  /// - Parameters:
  ///   - copy: The copy, in which the session has the new options.
  ///   - watch: The watch that began when the copy was made.
  ///   - options: The options that the session is to get.
  ///   - id: The session.
  ///   - former: The options that the session has now; `nil` for a new session.
  ///   - filtered: The expansion that it gets with its filter; `nil` to expand everything.
  /// - Returns: The parts; `nil` if none of them can be used.
  /// - Complexity: O(*k* log *n*) for *k* nodes that moved since the copy was made.
  func preparedRows(
    of copy: borrowing TreeManager,
    since watch: ChangeWatch,
    for options: SessionOptions,
    of id: SessionID,
    before former: SessionOptions? = nil,
    expanding filtered: PreparedLayer<Fanout<64>>.Expansion? = nil
  ) -> PreparedRows? {
    guard let copied = copy.sessions[id], tree.canFollow(since: watch),
      copied.options.filter == options.filter, copied.options.order == options.order,
      copied.options.viewSort == options.viewSort
    else { return nil }
    var prepared = PreparedRows(filtered: filtered)
    if let ordering = copy.tree.ordering(of: copied.view) {
      prepared.ordering = copy.tree.preparedOrdering(ordering)
      // Another session may have got this order meanwhile, or the last one with it may have ended.
      guard (knownOrdering(options.viewSort) == nil) == (prepared.ordering != nil) else {
        return nil
      }
    }
    let setsFilter = options.filter != former?.filter
    if setsFilter || options.order != former?.order ?? .depthFirst
      || options.viewSort != former?.viewSort ?? SortOrder([])
    {
      prepared.layer = preparedLayer(of: copy, id, settingFilter: setsFilter, filtered)
      if setsFilter, prepared.layer == nil { return nil }
    }
    return prepared.layer == nil && prepared.ordering == nil ? nil : prepared
  }

  /// Returns the rows that a session has on a copy; `nil` if the session cannot adopt them.
  private func preparedLayer(
    of copy: borrowing TreeManager,
    _ id: SessionID,
    settingFilter setsFilter: Bool,
    _ filtered: PreparedLayer<Fanout<64>>.Expansion?
  ) -> PreparedLayer<Fanout<64>>? {
    guard sections.all.count == 1, let copied = copy.sessions[id] else { return nil }
    let layer = copy.tree.preparedLayer(of: copied.view)
    guard let session = sessions[id] else {
      return !layer.isFiltered || tree.canAdopt(layer, expanding: filtered) ? layer : nil
    }
    return tree.canAdopt(layer, settingFilter: setsFilter, in: session.view) ? layer : nil
  }

  /// Sets the filter and the orders of a session, using the parts that were made on a copy.
  ///
  /// - Returns: False if the rows cannot be used. The caller must then set the options. An order of
  ///   siblings may have been added.
  /// - Throws: `overloaded`, the errors of the meter, and `content-too-large` as ``checkUndo()``.
  mutating func adopt(
    _ prepared: PreparedRows,
    _ options: SessionOptions,
    in session: OpenSession
  ) throws(ServiceError) -> Bool {
    if let ordering = prepared.ordering {
      try checkRoomForOrdering()
      let order = options.viewSort
      let adopted = try sorting(by: order, meter) { tree, sorter, count throws(Interruption) in
        try tree.adopt(ordering, by: sorter, counting: count)
      }
      viewSorts[adopted] = order
    }
    let setsFilter =
      options.filter != session.options.filter
      || (options.filter != nil) != tree.isFiltered(session.view)
    let (view, filtered) = (session.view, prepared.filtered)
    guard let layer = prepared.layer,
      tree.canAdopt(layer, settingFilter: setsFilter, expanding: filtered, in: view)
    else { return false }
    session.options = options
    try adopt(layer, settingFilter: setsFilter, expanding: filtered, options, in: session)
    return true
  }

  private mutating func adopt(
    _ layer: PreparedLayer<Fanout<64>>,
    settingFilter setsFilter: Bool,
    expanding filtered: PreparedLayer<Fanout<64>>.Expansion?,
    _ options: SessionOptions,
    in session: OpenSession
  ) throws(ServiceError) {
    let filter = options.filter ?? .all([])
    let ordering = knownOrdering(options.viewSort)
    let (view, limit, meter) = (session.view, limits.maxChanges, meter)
    try meter.relay { () throws(Interruption) in
      try tree.adopt(
        layer,
        settingFilter: setsFilter,
        expanding: filtered,
        sortedBy: ordering,
        listing: limit,
        in: view
      ) { steps throws(Interruption) in
        try meter.step(steps)
      } matches: { tree, node throws(Interruption) in
        try meter.interrupting { () throws(ServiceError) in
          try Self.matches(filter, node, in: tree, meter)
        }
      }
    }
    try checkUndo()
  }
}

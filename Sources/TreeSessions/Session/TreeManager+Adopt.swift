import TreeDomain
import TreeEngine

/// The parts of a patch that were made on a copy.
struct PreparedRows {
  /// The rows with a new filter or order; `nil` if the patch sets none, or if they cannot be used.
  var layer: PreparedLayer<Fanout<64>>?
  /// A new order of siblings; `nil` if the patch sets none, or other sessions have it.
  var ordering: PreparedOrdering<Fanout<64>>?
  /// The expansion that a session gets with its filter; `nil` to expand everything.
  var filtered: PreparedLayer<Fanout<64>>.Expansion?
}

// A filter that was tested on all nodes of a copy, and orders in which its rows were put there, are
// set although others have changed the tree.
extension TreeManager {
  /// Returns what a patch has made on a copy, if the tree as it is now can use it.
  ///
  /// - Parameters:
  ///   - copy: The copy, with the patch applied.
  ///   - watch: Names the moment when the copy was made.
  ///   - patch: The patch.
  ///   - id: The session.
  /// - Returns: The parts; `nil` where the patch does more than to set another filter and orders,
  ///   or the tree has changed too much.
  /// - Complexity: O(*k* log *n*) for *k* nodes moved since.
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

  /// Returns what a session has got on a copy, if the tree as it is now can use it.
  ///
  /// - Parameters:
  ///   - copy: The copy, in which the session has its options.
  ///   - watch: Names the moment when the copy was made.
  ///   - options: The options that the session is to get.
  ///   - id: The session.
  ///   - former: The options that it has; `nil` for a new session.
  ///   - filtered: The expansion that it gets with its filter; `nil` to expand everything.
  /// - Returns: The parts; `nil` if none of them can be used.
  /// - Complexity: O(*k* log *n*) for *k* nodes moved since.
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
      // Another session may have come to this order, or gone with it.
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

  /// Sets the filter and the orders of a session by what was made on a copy.
  ///
  /// - Returns: False if at most an order of siblings can be used, so that the session is still to
  ///   get its options.
  /// - Throws: The error of the meter, and `content-too-large` as ``checkUndo()``.
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

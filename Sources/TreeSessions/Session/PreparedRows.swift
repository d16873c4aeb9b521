import TreeDomain
import TreeEngine

/// The parts of a session's view that were made on a copy.
///
/// Filters, orders and expansions that were applied on a copy are set in the tree, even if others
/// have changed the tree meanwhile.
struct PreparedRows {
  /// The rows with a new filter or order; `nil` if neither is set, or if they cannot be used.
  private(set) var layer: PreparedLayer<Fanout<64>>?
  /// A new order of siblings; `nil` if none is set, or if another session has the same one.
  private(set) var ordering: PreparedOrdering<Fanout<64>>?
  /// The expansion that a session gets with its filter; `nil` to expand everything.
  let filtered: PreparedLayer<Fanout<64>>.Expansion?
  /// The expansion that a session gets without its filter; `nil` to keep it.
  let unfiltered: PreparedLayer<Fanout<64>>.Expansion?

  /// Takes the parts that a patch has made on a copy, if the current tree can use them.
  ///
  /// Fails if none of them can be used, or if the patch also sets the tree's order.
  ///
  /// - Parameters:
  ///   - copy: The copy, with the patch applied.
  ///   - tree: The current tree.
  ///   - watch: The watch that began when the copy was made.
  ///   - patch: The patch.
  ///   - id: The session.
  /// - Complexity: O(*k* log *n*) for *k* nodes that moved since the copy was made.
  init?(
    of copy: borrowing TreeManager,
    for tree: borrowing TreeManager,
    since watch: ChangeWatch,
    _ patch: SessionPatch,
    of id: SessionID
  ) {
    guard patch.sort == nil, let session = tree.sessions[id] else { return nil }
    let options = patch.applied(to: session.options)
    self.init(
      of: copy,
      for: tree,
      since: watch,
      options,
      of: id,
      before: session.options,
      unfiltered: patch.expansion.map { tree.content.unfilteredExpansion(by: $0, of: session) }
    )
  }

  /// Takes the parts that a session has got on a copy, if the current tree can use them.
  ///
  /// Fails if none of them can be used.
  ///
  /// - Parameters:
  ///   - copy: The copy, in which the session has the new options.
  ///   - tree: The current tree.
  ///   - watch: The watch that began when the copy was made.
  ///   - options: The options that the session is to get.
  ///   - id: The session.
  ///   - former: The options that the session has now; `nil` for a new session.
  ///   - filtered: The expansion that it gets with its filter; `nil` to expand everything.
  ///   - unfiltered: The expansion that it gets without its filter; `nil` to keep it.
  /// - Complexity: O(*k* log *n*) for *k* nodes that moved since the copy was made.
  init?(
    of copy: borrowing TreeManager,
    for tree: borrowing TreeManager,
    since watch: ChangeWatch,
    _ options: SessionOptions,
    of id: SessionID,
    before former: SessionOptions? = nil,
    expanding filtered: PreparedLayer<Fanout<64>>.Expansion? = nil,
    unfiltered: PreparedLayer<Fanout<64>>.Expansion? = nil
  ) {
    guard let copied = copy.sessions[id], tree.content.tree.canFollow(since: watch),
      copied.options.filter == options.filter, copied.options.order == options.order,
      copied.options.viewSort == options.viewSort
    else { return nil }
    (self.filtered, self.unfiltered) = (filtered, unfiltered)
    if let known = copy.content.tree.ordering(of: copied.view) {
      ordering = copy.content.tree.preparedOrdering(known)
      // Another session may have got this order meanwhile, or the last one with it may have ended.
      let isKnown = tree.content.orderings.known(options.viewSort) != nil
      guard isKnown == (ordering == nil) else { return nil }
    }
    let setsFilter = options.filter != former?.filter
    // While a filter is kept, the rows have an expansion of their own.
    let shown = options.filter == nil ? unfiltered : nil
    if setsFilter || options.order != former?.order ?? .depthFirst
      || options.viewSort != former?.viewSort ?? SortOrder([])
      || shown.map({ !tree.content.tree.shows($0, in: copied.view) }) ?? false
    {
      layer = self.layer(of: copied, on: copy, for: tree, settingFilter: setsFilter)
      if setsFilter || unfiltered != nil, layer == nil { return nil }
    }
    if layer == nil, ordering == nil { return nil }
  }

  /// Returns the rows that a session has on a copy; `nil` if the session cannot adopt them.
  private func layer(
    of copied: OpenSession,
    on copy: borrowing TreeManager,
    for tree: borrowing TreeManager,
    settingFilter setsFilter: Bool
  ) -> PreparedLayer<Fanout<64>>? {
    let layer = copy.content.tree.preparedLayer(of: copied.view)
    guard let session = tree.sessions[copied.id] else {
      let isFine = !layer.isFiltered || tree.content.tree.canAdopt(layer, expanding: filtered)
      return isFine ? layer : nil
    }
    let canAdopt = tree.content.tree.canAdopt(
      layer,
      settingFilter: setsFilter,
      expanding: filtered,
      unfiltered: unfiltered,
      in: session.view
    )
    return canAdopt ? layer : nil
  }
}

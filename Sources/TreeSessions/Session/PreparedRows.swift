import TreeDomain
import TreeEngine

/// The parts of a session's view that were made on a copy.
///
/// Filters and orders that were applied on a copy are set in the tree, even if others have changed
/// the tree meanwhile.
struct PreparedRows {
  /// The rows with a new filter or order; `nil` if neither is set, or if they cannot be used.
  private(set) var layer: PreparedLayer<Fanout<64>>?
  /// A new order of siblings; `nil` if none is set, or if another session has the same one.
  private(set) var ordering: PreparedOrdering<Fanout<64>>?
  /// The expansion that a session gets with its filter; `nil` to expand everything.
  let filtered: PreparedLayer<Fanout<64>>.Expansion?

  /// Takes the parts that a patch has made on a copy, if the current tree can use them.
  ///
  /// Fails if none of them can be used, or if the patch also sets the expansion, the tree's order
  /// or the selection mode.
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
    guard patch.expansion == nil, patch.sort == nil, patch.selection == nil,
      let session = tree.sessions[id]
    else { return nil }
    let options = patch.applied(to: session.options)
    self.init(of: copy, for: tree, since: watch, options, of: id, before: session.options)
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
  /// - Complexity: O(*k* log *n*) for *k* nodes that moved since the copy was made.
  init?(
    of copy: borrowing TreeManager,
    for tree: borrowing TreeManager,
    since watch: ChangeWatch,
    _ options: SessionOptions,
    of id: SessionID,
    before former: SessionOptions? = nil,
    expanding filtered: PreparedLayer<Fanout<64>>.Expansion? = nil
  ) {
    guard let copied = copy.sessions[id], tree.content.tree.canFollow(since: watch),
      copied.options.filter == options.filter, copied.options.order == options.order,
      copied.options.viewSort == options.viewSort
    else { return nil }
    self.filtered = filtered
    if let known = copy.content.tree.ordering(of: copied.view) {
      ordering = copy.content.tree.preparedOrdering(known)
      // Another session may have got this order meanwhile, or the last one with it may have ended.
      let isKnown = tree.content.orderings.known(options.viewSort) != nil
      guard isKnown == (ordering == nil) else { return nil }
    }
    let setsFilter = options.filter != former?.filter
    if setsFilter || options.order != former?.order ?? .depthFirst
      || options.viewSort != former?.viewSort ?? SortOrder([])
    {
      layer = Self.layer(of: copied, on: copy, for: tree, settingFilter: setsFilter, filtered)
      if setsFilter, layer == nil { return nil }
    }
    if layer == nil, ordering == nil { return nil }
  }

  /// Returns the rows that a session has on a copy; `nil` if the session cannot adopt them.
  private static func layer(
    of copied: OpenSession,
    on copy: borrowing TreeManager,
    for tree: borrowing TreeManager,
    settingFilter setsFilter: Bool,
    _ filtered: PreparedLayer<Fanout<64>>.Expansion?
  ) -> PreparedLayer<Fanout<64>>? {
    guard tree.content.sections.all.count == 1 else { return nil }
    let layer = copy.content.tree.preparedLayer(of: copied.view)
    guard let session = tree.sessions[copied.id] else {
      let isFine = !layer.isFiltered || tree.content.tree.canAdopt(layer, expanding: filtered)
      return isFine ? layer : nil
    }
    let view = session.view
    return tree.content.tree.canAdopt(layer, settingFilter: setsFilter, in: view) ? layer : nil
  }
}

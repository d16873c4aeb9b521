import TreeDomain
import TreeEngine

/// The estimated size of a piece of work.
///
/// It decides where the work runs: small work at once on the event loop, all other work on a
/// worker. If work takes longer than estimated on an event loop, it is stopped, rolled back, and
/// started over on a worker; see ``WorkMeter``.
struct WorkSize: Equatable, Sendable {
  /// The number of nodes that are visited, made, or reported to sessions.
  var nodes = 0
  /// The number of bytes that are read or written.
  var bytes = 0

  /// Returns true if the work may run on an event loop.
  func isSmall(_ limits: SessionLimits) -> Bool {
    nodes <= limits.maxSmallNodes && bytes <= limits.maxSmallBytes
  }
}

extension TreeManager {
  /// Refuses work that must be small but is not.
  ///
  /// - Parameter size: The size. Not evaluated if the work may take long.
  /// - Throws: The error of ``Attempt/refuse()``. Nothing has changed then.
  func demand(_ size: @autoclosure () -> WorkSize) throws(ServiceError) {
    guard meter.isSmall, !size().isSmall(limits) else { return }
    try meter.demandTime()
  }

  /// Refuses to write a number of bytes, if the work must be small.
  ///
  /// - Throws: The error of ``demand(_:)``.
  func demand(bytes: Int) throws(ServiceError) { try demand(WorkSize(bytes: bytes)) }

  /// Refuses to visit a number of nodes, if the work must be small.
  ///
  /// - Throws: The error of ``demand(_:)``.
  func demand(nodes: Int) throws(ServiceError) { try demand(WorkSize(nodes: nodes)) }

  /// Refuses a call on a session if it must be small, and the tree has many sections to look up.
  ///
  /// - Throws: The error of ``demand(_:)``.
  func checkSectionsAreFew() throws(ServiceError) { try demand(nodes: sections.all.count) }

  /// The number of bytes after which a list of rows ends.
  ///
  /// If the work must be small and a list is longer, the work is refused.
  var maxRowBytes: Int {
    meter.isSmall ? min(limits.maxAnswerBytes, limits.maxSmallBytes) : limits.maxAnswerBytes
  }

  /// The maximum number of listed ancestors.
  ///
  /// If the work must be small, it is one more than may be visited. So a longer list is refused.
  var maxListedAncestors: Int {
    meter.isSmall ? min(limits.maxAncestors, limits.maxSmallNodes + 1) : limits.maxAncestors
  }

  /// The number of tests that all filters of sessions make at a node.
  ///
  /// - Complexity: O(sessions).
  var filterCost: Int { sessions.values.reduce(0) { $0 + $1.filterCost } }

  /// Returns the number of rows of a session with a filter or another order than tree order; 0 for
  /// other sessions.
  func layerRows(of session: OpenSession) -> Int { session.isLayered ? rowCount(of: session) : 0 }
}

// The sizes of other work than batches.
extension TreeManager {
  /// Returns the size of opening a session.
  func size(opening new: NewSession) -> WorkSize {
    var size = size(showing: new.options)
    size.nodes += sections.all.count
    if let state = new.state {
      size.nodes += state.toggledKeys.count + state.filterToggledKeys.count
      size.nodes += state.selectedKeys.count + (tree.hasUnloaded ? nodeCount : 0)
      size.nodes += state.collapsedSections.count + state.filterCollapsedSections.count
    }
    for key in new.expandedKeys where size.isSmall(limits) {
      size.nodes += 1 + (tree.node(forKey: new[key].span).map { tree.depth(of: $0) } ?? 0)
    }
    return size
  }

  /// Returns the size of waking a session that names some nodes.
  func size(waking options: SessionOptions, naming nodes: Int) -> WorkSize {
    var size = size(showing: options)
    size.nodes += nodes + sections.all.count + (tree.hasUnloaded ? nodeCount : 0)
    return size
  }

  /// Returns the size of changing the options of a session.
  func size(of patch: SessionPatch, by session: OpenSession) -> WorkSize {
    var size = WorkSize()
    if let rule = patch.expansion {
      size = self.size(counting: rule)
      size.nodes += sizeOfShowingAll(in: session)
    }
    if patch.order != nil || patch.filter != nil {
      let tests = patch.applied(to: session.options).filter?.cost ?? 1
      size.nodes += nodeCount * tests
      size.bytes += tree.byteCount * tests
    }
    if let order = patch.viewSort { add(sizeOfShowing(order), to: &size) }
    if let order = patch.sort {
      size.nodes += nodeCount
      size.bytes += order.descriptors.count * tree.byteCount
    }
    if patch.selection != nil { size.nodes += tree.selectedCount(of: session.view) }
    size.nodes += layerRows(of: session)
    return size
  }

  /// Returns the size of importing nodes.
  func size(importing nodes: Import) -> WorkSize {
    let told = 1 + audience + (tree.hasLayers ? filterCost : 0) + viewSorts.count
    return WorkSize(nodes: (nodes.nodeCount + 1) * told, bytes: nodes.byteCount * told)
  }

  /// Returns the number of nodes that a new expansion rule for all nodes affects.
  func sizeOfShowingAll(in session: OpenSession) -> Int {
    let isLookedAt = session.isLayered || tree.hasUnloaded
    return rowCount(of: session) + tree.toggledCount(in: session.view)
      + (isLookedAt ? nodeCount : 0)
  }

  /// Returns the size of showing a tree in a new view.
  private func size(showing options: SessionOptions) -> WorkSize {
    var size = size(counting: options.expansion)
    if !options.viewSort.isEmpty { add(sizeOfShowing(options.viewSort), to: &size) }
    guard options.filter != nil || options.order != .depthFirst else { return size }
    let tests = options.filter?.cost ?? 1
    size.nodes += nodeCount * tests
    size.bytes += tree.byteCount * tests
    return size
  }

  /// Returns the size of showing rows in an order.
  ///
  /// To make a new ordering, the objects of all nodes are read.
  private func sizeOfShowing(_ order: SortOrder) -> WorkSize {
    let isKnown = order.isEmpty || knownOrdering(order) != nil
    let bytes = isKnown ? 0 : order.descriptors.count * tree.byteCount
    return WorkSize(nodes: nodeCount, bytes: bytes)
  }

  private func add(_ more: WorkSize, to size: inout WorkSize) {
    size.nodes += more.nodes
    size.bytes += more.bytes
  }

  /// Returns the size of counting rows by a rule.
  ///
  /// A rule with levels may need an index of all nodes.
  private func size(counting rule: ExpansionRule) -> WorkSize {
    let isCounted = rule == .all || rule == .none || tree.isIndexed(engineRule(rule))
    return WorkSize(nodes: isCounted ? 0 : nodeCount)
  }
}

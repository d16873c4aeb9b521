import TreeDomain
import TreeEngine

/// The size of a piece of work, as far as it is known before the work begins.
///
/// It decides where the work is done: small work at once, on the event loop, all other work on a
/// worker thread. It is a guess. Small work that takes longer than expected is stopped, undone, and
/// done again on a worker thread; see ``WorkMeter``.
struct WorkSize: Equatable, Sendable {
  /// The number of nodes visited, made, or told to a session.
  var nodes = 0
  /// The number of bytes read or written.
  var bytes = 0

  /// Returns true if the work may be done on an event loop.
  func isSmall(_ limits: SessionLimits) -> Bool {
    nodes <= limits.maxSmallNodes && bytes <= limits.maxSmallBytes
  }
}

extension TreeManager {
  /// Refuses work that is not small, where others wait for the thread.
  ///
  /// - Parameter size: The size; not asked for where the work may take its time.
  /// - Throws: As ``Attempt/refuse()``, with nothing changed.
  func demand(_ size: @autoclosure () -> WorkSize) throws(ServiceError) {
    guard meter.isSmall, !size().isSmall(limits) else { return }
    try meter.demandTime()
  }

  /// Refuses to write so many bytes, where others wait for the thread.
  ///
  /// - Throws: As ``demand(_:)``.
  func demand(bytes: Int) throws(ServiceError) { try demand(WorkSize(bytes: bytes)) }

  /// Refuses to visit so many nodes, where others wait for the thread.
  ///
  /// - Throws: As ``demand(_:)``.
  func demand(nodes: Int) throws(ServiceError) { try demand(WorkSize(nodes: nodes)) }

  /// Refuses a call on a session of a tree with many sections, all of which it looks up.
  ///
  /// - Throws: As ``demand(_:)``.
  func checkSectionsAreFew() throws(ServiceError) { try demand(nodes: sections.all.count) }

  /// The most bytes of rows that a list is written up to; then it is cut short, or the call is
  /// refused as not small.
  var maxRowBytes: Int {
    meter.isSmall ? min(limits.maxAnswerBytes, limits.maxSmallBytes) : limits.maxAnswerBytes
  }

  /// The most ancestors that are listed; for small work one more than it may visit.
  var maxListedAncestors: Int {
    meter.isSmall ? min(limits.maxAncestors, limits.maxSmallNodes + 1) : limits.maxAncestors
  }

  /// The sum of the numbers of tests that the sessions' filters make at a node.
  ///
  /// - Complexity: O(sessions).
  var filterCost: Int { sessions.values.reduce(0) { $0 + $1.filterCost } }

  /// Returns the number of rows that are kept in a sequence of their own.
  func layerRows(of session: OpenSession) -> Int { session.isLayered ? rowCount(of: session) : 0 }
}

// Sizes of what is no batch.
extension TreeManager {
  /// Returns the size of opening a session.
  func size(opening new: NewSession) -> WorkSize {
    var size = size(showing: new.options)
    size.nodes += sections.all.count
    if let state = new.state {
      size.nodes += state.toggledKeys.count + state.filterToggledKeys.count
      size.nodes += state.selectedKeys.count + (tree.hasUnloaded ? nodeCount : 0)
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
    if let order = patch.sort {
      size.nodes += nodeCount
      size.bytes += order.descriptors.count * tree.byteCount
    }
    if patch.selection != nil { size.nodes += tree.selectedCount(of: session.view) }
    size.nodes += layerRows(of: session)
    return size
  }

  /// Returns the size of bringing nodes in.
  func size(importing nodes: Import) -> WorkSize {
    let told = 1 + audience + (tree.hasLayers ? filterCost : 0)
    return WorkSize(nodes: (nodes.nodeCount + 1) * told, bytes: nodes.byteCount * told)
  }

  /// Returns the number of nodes that showing all rows by another rule is about.
  func sizeOfShowingAll(in session: OpenSession) -> Int {
    let isLookedAt = session.isLayered || tree.hasUnloaded
    return rowCount(of: session) + tree.toggledCount(in: session.view)
      + (isLookedAt ? nodeCount : 0)
  }

  /// Returns the size of showing a tree in a new view.
  private func size(showing options: SessionOptions) -> WorkSize {
    var size = size(counting: options.expansion)
    guard options.filter != nil || options.order != .depthFirst else { return size }
    let tests = options.filter?.cost ?? 1
    size.nodes += nodeCount * tests
    size.bytes += tree.byteCount * tests
    return size
  }

  /// Returns the size of counting rows by a rule: one of levels may need an index of all nodes.
  private func size(counting rule: ExpansionRule) -> WorkSize {
    let isCounted = rule == .all || rule == .none || tree.isIndexed(engineRule(rule))
    return WorkSize(nodes: isCounted ? 0 : nodeCount)
  }
}

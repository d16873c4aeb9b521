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

// The sizes of other work than batches.
extension WorkSize {
  /// Estimates the size of opening a session.
  init(opening new: NewSession, in content: borrowing TreeContent) {
    self.init(showing: new.options, content)
    nodes += content.sections.all.count
    if let state = new.state {
      nodes += state.toggledKeys.count + state.filterToggledKeys.count
      nodes += state.selectedKeys.count + (content.tree.hasUnloaded ? content.nodeCount : 0)
      nodes += state.collapsedSections.count + state.filterCollapsedSections.count
    }
    for key in new.expandedKeys where isSmall(content.limits) {
      nodes +=
        1 + (content.tree.node(forKey: new[key].span).map { content.tree.depth(of: $0) } ?? 0)
    }
  }

  /// Estimates the size of waking a session that names some nodes.
  init(waking options: SessionOptions, naming names: Int, in content: borrowing TreeContent) {
    self.init(showing: options, content)
    nodes += names + content.sections.all.count + (content.tree.hasUnloaded ? content.nodeCount : 0)
  }

  /// Estimates the size of changing the options of a session.
  init(of patch: SessionPatch, by session: OpenSession, in content: borrowing TreeContent) {
    if let rule = patch.expansion {
      self.init(counting: rule, content)
      nodes += content.sizeOfShowingAll(in: session)
    } else {
      self.init()
    }
    if patch.order != nil || patch.filter != nil {
      let tests = patch.applied(to: session.options).filter?.cost ?? 1
      nodes += content.nodeCount * tests
      bytes += content.tree.byteCount * tests
    }
    if let order = patch.viewSort { addShowing(order, content) }
    if let order = patch.sort {
      nodes += content.nodeCount
      bytes += order.descriptors.count * content.tree.byteCount
    }
    if patch.selection != nil { nodes += content.tree.selectedCount(of: session.view) }
    nodes += content.layerRows(of: session)
  }

  /// Estimates the size of importing nodes, of which sessions learn.
  init(
    importing new: Import,
    in content: borrowing TreeContent,
    notifying sessions: borrowing OpenSessions
  ) {
    let tests = content.tree.hasLayers ? sessions.layered.filterCost : 0
    let readers = 1 + tests + content.orderings.count
    self.init(
      nodes: (new.nodeCount + 1) * (readers + sessions.audience),
      bytes: new.byteCount * readers
    )
  }

  /// Estimates the size of showing a tree in a new view.
  private init(showing options: SessionOptions, _ content: borrowing TreeContent) {
    self.init(counting: options.expansion, content)
    if !options.viewSort.isEmpty { addShowing(options.viewSort, content) }
    guard options.filter != nil || options.order != .depthFirst else { return }
    let tests = options.filter?.cost ?? 1
    nodes += content.nodeCount * tests
    bytes += content.tree.byteCount * tests
  }

  /// Adds the size of showing rows in an order.
  ///
  /// To make a new ordering, the objects of all nodes are read.
  private mutating func addShowing(_ order: SortOrder, _ content: borrowing TreeContent) {
    let isKnown = order.isEmpty || content.orderings.known(order) != nil
    nodes += content.nodeCount
    if !isKnown { bytes += order.descriptors.count * content.tree.byteCount }
  }

  /// Estimates the size of counting rows by a rule.
  ///
  /// A rule with levels may need an index of all nodes.
  private init(counting rule: ExpansionRule, _ content: borrowing TreeContent) {
    let isCounted = rule == .all || rule == .none || content.tree.isIndexed(rule.inEngine)
    self.init(nodes: isCounted ? 0 : content.nodeCount)
  }
}

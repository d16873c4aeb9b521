import TreeDomain
import TreeEngine

/// About how many steps a batch will take, in tenths of a microsecond.
///
/// What things cost was measured (`tree-bench weights`, `depth`, `crowd`, `siblings`; 10⁶ nodes),
/// and is rounded up: a node inserted, updated, toggled, removed 2 to 5 µs, moved 8; a node of a
/// subtree that goes 0.3 to 0.5 µs, is listed as moved 0.2, selected 1.3, expanded with all levels
/// 0.4 and in a chain 3; an ancestor opened 4 to 5; a sibling sorted 2 to 6; a node of a diff 1.3;
/// a session told of an edit 0.2 to 0.4, of a move 1.5.
struct BatchEstimate {
  /// The sum so far.
  var steps: Int

  /// Some operation so far may have brought sorted siblings out of their order.
  var forgetsOrder = false

  private let format: ChangeFormat
  /// How many are told of every change of the tree: sessions, and of their followers each who wants
  /// it told in another way.
  private let audience: Int
  /// What it costs to look at a small node by the filters of all sessions.
  private let filterCost: Int
  /// Some session keeps its rows in a sequence of their own, so that each row that comes or goes
  /// costs.
  private let isLayered: Bool
  /// Rows that go are listed one by one, since several operations may cancel each other.
  private let isListed: Bool
  private let maxEntries: Int

  /// A first estimate, of what goes by numbers alone.
  init(
    _ batch: borrowing Batch,
    by session: OpenSession?,
    _ format: ChangeFormat,
    _ manager: borrowing TreeManager
  ) {
    self.format = format
    audience = manager.audience
    maxEntries = manager.limits.maxChanges
    let sections = manager.sections.all.count
    isListed = batch.operations.count > 1 || sections > 1
    let operations = batch.operations.span
    var nodesNamed = 0
    var changesData = false
    var changesSections = false
    for place in operations.indices {
      nodesNamed += operations[place].nodesNamed
      if operations[place].changesSections { changesSections = true }
      if operations[place].changesData { changesData = true }
    }
    steps = 20 * batch.nodes.count + 30 * nodesNamed
    if changesData { steps += 8 * audience * operations.count }
    // Each answer says where sections are.
    if changesData, sections > 1 { steps += 8 * sections * manager.followed.groups }
    // The past keeps them as they were.
    if changesSections { steps += 4 * sections }
    filterCost = changesData && manager.tree.hasLayers ? manager.filterCost : 0
    steps += filterCost * (operations.count + batch.nodes.count + batch.bytes.count / 64)
    isLayered = changesData ? manager.tree.hasLayers : session?.isLayered == true
  }

  /// Adds what depends on how much an operation is about.
  mutating func add(
    _ operation: Operation,
    of batch: Batch,
    by session: OpenSession?,
    in manager: borrowing TreeManager
  ) {
    if operation.changesData {
      steps += dataSteps(operation, batch, manager)
      addPlaces(of: operation, batch, manager)
    } else if let session {
      steps += viewSteps(operation, batch, session, manager)
    }
  }

  private func dataSteps(
    _ operation: Operation,
    _ batch: Batch,
    _ manager: borrowing TreeManager
  ) -> Int {
    switch operation {
    case .insert, .put, .update(_, .replace): 0
    case .update(let key, .merge):
      node(batch[key], manager).map {
        manager.tree.object(of: $0).count * (4 + filterCost) / 64
      } ?? 0
    case .remove(let key): changing(subtree(batch[key], manager))
    case .removeAll(let keys):
      // Nodes below each other are counted more than once, but there are no more than all.
      changing(
        min(
          batch.keys[keys.range].reduce(0) { $0 + subtree(batch[$1], manager) },
          manager.nodeCount
        )
      )
    case .move(let keys, _, _, _):
      batch.keys[keys.range].reduce(0) {
        $0 + 50 + 8 * audience + moving(subtree(batch[$1], manager))
      }
    case .setChildren(let target, _): 10 * below(target, batch, manager)
    case .sort(let target, let order): sorting(target, by: batch.orders[order], batch, manager)
    case .removeSection(let name): changing(section(batch[name], manager)) + renaming(manager)
    case .moveSection(let name, _): moving(section(batch[name], manager)) + renaming(manager)
    default: renaming(manager)
    }
  }

  private func viewSteps(
    _ operation: Operation,
    _ batch: Batch,
    _ session: OpenSession,
    _ manager: borrowing TreeManager
  ) -> Int {
    switch operation {
    case .expand(let key, let levels), .collapse(let key, let levels),
      .toggle(let key, let levels):
      toggling(batch[key], levels, session, manager)
    case .expandSection(let name), .collapseSection(let name):
      showing(section(batch[name], manager))
    case .expandAll, .collapseAll: manager.shownAnew(in: session, format)
    case .reveal(let keys, _):
      batch.keys[keys.range].reduce(0) { $0 + revealing(batch[$1], session, manager) }
    case .select(.subtree(let key)), .deselect(.subtree(let key)): 15 * subtree(batch[key], manager)
    case .clearSelection: 12 * manager.tree.selectedCount(of: session.view)
    default: 0
    }
  }

  // MARK: What goes by the size of something

  /// Nodes that go.
  private func changing(_ nodes: Int) -> Int { 5 * nodes + entries(nodes) * (1 + audience) }

  /// Nodes that stay, but elsewhere.
  private func moving(_ nodes: Int) -> Int {
    (isLayered || isListed ? 5 * nodes : 0) + entries(nodes) * (1 + audience)
  }

  /// Rows that come or go in one session.
  private func showing(_ nodes: Int) -> Int {
    (isLayered || isListed ? 5 * nodes : 0) + entries(nodes)
  }

  /// Entries of a change list, which are never more than there may be.
  private func entries(_ nodes: Int) -> Int {
    format == .rows || audience > 1 ? 3 * min(nodes, maxEntries) : 0
  }
}

// How much operations are about.
extension BatchEstimate {
  func node(_ key: ArraySlice<UInt8>, _ manager: borrowing TreeManager) -> NodeID? {
    manager.tree.node(forKey: key.span)
  }

  private func subtree(_ key: ArraySlice<UInt8>, _ manager: borrowing TreeManager) -> Int {
    node(key, manager).map { manager.tree.subtreeSize(of: $0) } ?? 0
  }

  func section(_ name: ArraySlice<UInt8>, _ manager: borrowing TreeManager) -> Int {
    manager.namedSections[Array(name)].map { manager.tree.subtreeSize(of: $0) } ?? 0
  }

  /// Those behind a section make room for it.
  private func renaming(_ manager: borrowing TreeManager) -> Int { manager.sections.all.count / 64 }

  private func below(
    _ target: ChildrenTarget,
    _ batch: Batch,
    _ manager: borrowing TreeManager
  ) -> Int {
    switch target {
    case .node(let key): subtree(batch[key], manager)
    case .roots(let name?): section(batch[name], manager)
    case .roots(nil): manager.nodeCount
    }
  }

  private func toggling(
    _ key: ArraySlice<UInt8>,
    _ levels: Levels,
    _ session: OpenSession,
    _ manager: borrowing TreeManager
  ) -> Int {
    guard let node = node(key, manager) else { return 0 }
    let size = manager.tree.subtreeSize(of: node)
    let isDeep = levels != .count(1) || session.options.nestedExpansion == .forget
    let siblings = session.options.accordion ? self.siblings(node, manager) : 0
    return showing(size) + (isDeep ? 30 * size : 0) + siblings
  }

  /// A session with an accordion looks at the siblings of what it opens.
  private func siblings(_ node: NodeID, _ manager: borrowing TreeManager) -> Int {
    5 * manager.tree.childCount(of: manager.tree.parent(of: node))
  }

  private func revealing(
    _ key: ArraySlice<UInt8>,
    _ session: OpenSession,
    _ manager: borrowing TreeManager
  ) -> Int {
    guard let node = node(key, manager) else { return 0 }
    // What is shown with it is below the topmost ancestor that was collapsed.
    guard session.options.accordion || isLayered else {
      return 50 * manager.tree.depth(of: node) + entries(manager.nodeCount)
    }
    // If data changes, too, the nodes below are asked if they match.
    return 5 * manager.nodeCount + filterCost * manager.tree.subtreeSize(of: node)
  }
}

extension Operation {
  fileprivate var changesSections: Bool {
    switch self {
    case .insertSection, .removeSection, .moveSection, .renameSection: true
    default: false
    }
  }

  /// How many nodes it names to do something with; 1 for what names none.
  fileprivate var nodesNamed: Int {
    switch self {
    case .removeAll(let keys), .move(let keys, _, _, _), .reveal(let keys, _),
      .select(.keys(let keys)), .deselect(.keys(let keys)):
      keys.count
    default: 1
    }
  }
}

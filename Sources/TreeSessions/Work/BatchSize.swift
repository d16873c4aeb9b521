import TreeDomain
import TreeEngine

/// Estimates the size of a batch, before its operations are applied.
///
/// Every node that an operation names, inserts, moves, removes, sorts or selects counts once. It
/// counts again for each session that must learn of it, and for each test of their filters. The
/// estimate takes O(log *n*) steps for each key, except that a limited number of children is read.
struct BatchSize {
  var size = WorkSize()
  /// True if an operation so far may have broken the order of sorted siblings.
  private var forgetsOrder = false
  /// The number of times that a changed node counts.
  let told: Int
  /// True if inserted and removed rows are listed one by one.
  let isListed: Bool
  private var readings: [NodeID: Reading] = [:]

  /// The sizes of the objects of a node's first children, whose number is limited.
  private struct Reading {
    var bytes = 0
    var largest = 0
  }

  /// Begins with the nodes that a batch inserts or names.
  init(
    _ batch: borrowing Batch,
    by session: OpenSession?,
    _ options: BatchOptions,
    _ manager: borrowing TreeManager
  ) {
    var changesData = false
    var changesSections = false
    var named = 0
    let operations = batch.operations.span
    for place in operations.indices {
      if operations[place].changesData { changesData = true }
      if operations[place].changesSections { changesSections = true }
      named += operations[place].nodesNamed
    }
    let sections = manager.sections.all.count
    let hasLayers = manager.tree.hasLayers
    let followers = manager.audience + manager.viewSorts.count
    told = changesData ? 1 + followers + (hasLayers ? manager.filterCost : 0) : 1
    isListed =
      operations.count > 1 || sections > 1
      || (changesData ? hasLayers : session?.isLayered == true)
    size.nodes = (batch.nodes.count + named) * told
    size.bytes = batch.bytes.count * (changesData && hasLayers ? told : 1)
    if changesData, sections > 1 { size.nodes += sections * manager.followed.groups }
    if changesSections { size.nodes += sections }
    if options.isDryRun, let session { size.nodes += manager.layerRows(of: session) }
  }

  mutating func addSorting(
    _ target: SortTarget,
    by order: SortOrder,
    _ batch: Batch,
    _ manager: borrowing TreeManager
  ) {
    guard case .children(let key) = target else {
      size.nodes += manager.nodeCount * told
      size.bytes += order.descriptors.count * manager.tree.byteCount
      return
    }
    guard let node = manager.tree.node(forKey: batch[key].span) else { return }
    size.nodes += manager.tree.childCount(of: node) * told
    size.bytes += order.descriptors.count * reading(childrenOf: node, manager).bytes
  }

  func toggledNodes(
    _ key: ArraySlice<UInt8>,
    _ levels: Levels,
    _ session: OpenSession,
    _ manager: borrowing TreeManager
  ) -> Int {
    guard let node = manager.tree.node(forKey: key.span) else { return 0 }
    let isDeep = levels != .count(1) || session.options.nestedExpansion == .forget
    let isAbout = isDeep || isListed || manager.tree.hasUnloaded
    let siblings =
      session.options.accordion
      ? manager.tree.childCount(of: manager.tree.parent(of: node)) : 0
    return siblings + (isAbout ? manager.tree.subtreeSize(of: node) : 0)
  }

  func revealedNodes(
    _ keys: ArraySlice<ByteSlice>,
    _ batch: Batch,
    _ session: OpenSession,
    _ manager: borrowing TreeManager
  ) -> Int {
    if session.options.accordion || session.isLayered { return manager.nodeCount * keys.count }
    var nodes = 0
    for key in keys where nodes <= manager.limits.maxSmallNodes {
      nodes += manager.tree.node(forKey: batch[key].span).map { manager.tree.depth(of: $0) } ?? 0
    }
    return nodes
  }

  // MARK: Sizes of parts of the tree

  func subtree(_ key: ArraySlice<UInt8>, _ manager: borrowing TreeManager) -> Int {
    manager.tree.node(forKey: key.span).map { manager.tree.subtreeSize(of: $0) } ?? 0
  }

  func section(_ name: ArraySlice<UInt8>, _ manager: borrowing TreeManager) -> Int {
    manager.namedSections[Array(name)].map { manager.tree.subtreeSize(of: $0) } ?? 0
  }

  func below(
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
}

// Places by sort order, for which siblings are read.
extension BatchSize {
  mutating func addPlaces(
    of operation: Operation,
    _ batch: Batch,
    _ manager: borrowing TreeManager
  ) {
    let place: Place
    switch operation {
    case .insert(_, _, _, let asked), .put(_, _, _, let asked, _), .move(_, _, _, let asked):
      place = asked
    // An update may change the sorted place of a node.
    case .update: place = .default
    case .setChildren, .sort, .removeSection: return forgetsOrder = true
    default: return
    }
    guard let order = manager.order(of: place, in: batch) else { return forgetsOrder = true }
    guard let parent = parent(operation, batch, manager) else { return }
    let count = manager.tree.childCount(of: parent)
    let nodes = if case .move(let keys, _, _, _) = operation { keys.count } else { 1 }
    let reading = reading(childrenOf: parent, manager)
    if !forgetsOrder, manager.sorted.isSorted(parent, by: order) {
      // The place is found by bisection.
      let read = Int.bitWidth - count.leadingZeroBitCount + 1
      size.nodes += nodes * read
      size.bytes += nodes * order.descriptors.count * min(reading.bytes, read * reading.largest)
    } else {
      size.nodes += nodes * count
      size.bytes += nodes * order.descriptors.count * reading.bytes
    }
  }

  /// Returns the parent whose children an operation reads to find a place; `nil` if the tree does
  /// not have it yet.
  private func parent(
    _ operation: Operation,
    _ batch: Batch,
    _ manager: borrowing TreeManager
  ) -> NodeID? {
    func node(_ key: ByteSlice) -> NodeID? { manager.tree.node(forKey: batch[key].span) }
    switch operation {
    case .insert(_, let parent?, _, _), .put(_, .node(let parent), _, _, _),
      .move(_, let parent?, _, _):
      return node(parent)
    case .insert(_, nil, let section?, _), .put(_, _, let section?, _, _),
      .move(_, nil, let section?, _):
      return manager.namedSections[Array(batch[section])]
    case .put(let nodes, .absent, nil, _, _):
      let present = manager.tree.node(forKey: batch[batch.nodes[nodes.offset].key].span)
      return present.map { manager.tree.parent(of: $0) } ?? manager.firstSection
    case .move(let keys, nil, nil, _):
      let first = batch.keys[keys.range].first.flatMap(node)
      return first.map { manager.sections.all[manager.sectionIndex(of: $0)].node }
    case .update(let key, _): return node(key).map { manager.tree.parent(of: $0) }
    default: return manager.firstSection
    }
  }

  /// Returns the sizes of the objects of a node's first children, whose number is limited.
  private mutating func reading(
    childrenOf parent: NodeID,
    _ manager: borrowing TreeManager
  ) -> Reading {
    if let known = readings[parent] { return known }
    var reading = Reading()
    var rest = manager.limits.maxSmallNodes
    manager.tree.forEachChild(of: parent) { child in
      let bytes = manager.tree.object(of: child).count
      reading.bytes += bytes
      reading.largest = max(reading.largest, bytes)
      rest -= 1
      return rest > 0
    }
    readings[parent] = reading
    return reading
  }
}

extension TreeManager {
  /// Returns the size of a batch.
  ///
  /// Stops adding operations once the size is not small.
  func size(
    of batch: Batch,
    by session: OpenSession?,
    _ options: BatchOptions
  ) -> WorkSize {
    var sum = BatchSize(batch, by: session, options, self)
    for operation in batch.operations {
      guard sum.size.isSmall(limits) else { break }
      sum.add(operation, of: batch, by: session, in: self)
    }
    return sum.size
  }
}

extension Operation {
  var changesSections: Bool {
    switch self {
    case .insertSection, .removeSection, .moveSection, .renameSection: true
    default: false
    }
  }
}

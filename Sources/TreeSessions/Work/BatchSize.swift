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
  let weight: Int
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
    _ content: borrowing TreeContent,
    notifying sessions: borrowing OpenSessions
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
    let sectionCount = content.sections.all.count
    let hasLayers = content.tree.hasLayers
    // Only filters and orders read what is sent.
    let readers =
      changesData
      ? 1 + content.orderings.count + (hasLayers ? sessions.layered.filterCost : 0) : 1
    weight = changesData ? readers + sessions.audience : 1
    isListed =
      operations.count > 1 || sectionCount > 1
      || (changesData ? hasLayers : session?.isLayered == true)
    size.nodes = (batch.nodes.count + named) * weight
    size.bytes = batch.bytes.count * (hasLayers ? readers : 1)
    if changesData, sectionCount > 1 { size.nodes += sectionCount * sessions.followed.groups }
    if changesSections { size.nodes += sectionCount }
    // Notifying a follower takes about half as long as visiting a node.
    size.nodes += (changesData ? sessions.followed.followers : session?.followerCount ?? 0) / 2
    if options.isDryRun, let session { size.nodes += content.layerRows(of: session) }
  }

  mutating func addSorting(
    _ target: SortTarget,
    by order: SortOrder,
    _ batch: Batch,
    _ content: borrowing TreeContent
  ) {
    guard case .children(let key) = target else {
      size.nodes += content.nodeCount * weight
      size.bytes += order.descriptors.count * content.tree.byteCount
      return
    }
    guard let node = content.tree.node(forKey: batch[key].span) else { return }
    size.nodes += content.tree.childCount(of: node) * weight
    size.bytes += order.descriptors.count * reading(childrenOf: node, content).bytes
  }

  func toggledNodes(
    _ key: ArraySlice<UInt8>,
    _ levels: Levels,
    _ session: OpenSession,
    _ content: borrowing TreeContent
  ) -> Int {
    guard let node = content.tree.node(forKey: key.span) else { return 0 }
    let isDeep = levels != .count(1) || session.options.nestedExpansion == .forget
    let isAbout = isDeep || isListed || content.tree.hasUnloaded
    let siblings =
      session.options.accordion
      ? content.tree.childCount(of: content.tree.parent(of: node)) : 0
    return siblings + (isAbout ? content.tree.subtreeSize(of: node) : 0)
  }

  func revealedNodes(
    _ keys: ArraySlice<ByteSlice>,
    _ batch: Batch,
    _ session: OpenSession,
    _ content: borrowing TreeContent
  ) -> Int {
    if session.options.accordion || session.isLayered { return content.nodeCount * keys.count }
    var nodes = 0
    for key in keys where nodes <= content.limits.maxSmallNodes {
      nodes += content.tree.node(forKey: batch[key].span).map { content.tree.depth(of: $0) } ?? 0
    }
    return nodes
  }

  // MARK: Sizes of parts of the tree

  func subtree(_ key: ArraySlice<UInt8>, _ content: borrowing TreeContent) -> Int {
    content.tree.node(forKey: key.span).map { content.tree.subtreeSize(of: $0) } ?? 0
  }

  func section(_ name: ArraySlice<UInt8>, _ content: borrowing TreeContent) -> Int {
    content.sections.node(named: name).map { content.tree.subtreeSize(of: $0) } ?? 0
  }

  func below(
    _ target: ChildrenTarget,
    _ batch: Batch,
    _ content: borrowing TreeContent
  ) -> Int {
    switch target {
    case .node(let key): subtree(batch[key], content)
    case .roots(let name?): section(batch[name], content)
    case .roots(nil): content.nodeCount
    }
  }
}

// Places by sort order, for which siblings are read.
extension BatchSize {
  mutating func addPlaces(
    of operation: Operation,
    _ batch: Batch,
    _ content: borrowing TreeContent
  ) {
    if operation.reordersSiblings { return forgetsOrder = true }
    guard let place = operation.place else { return }
    guard let order = content.siblings.order(of: place, in: batch) else {
      return forgetsOrder = true
    }
    guard let parent = parent(of: operation, batch, content) else { return }
    let count = content.tree.childCount(of: parent)
    let nodes = operation.nodesNamed
    let reading = reading(childrenOf: parent, content)
    if !forgetsOrder, content.siblings.isSorted(parent, by: order) {
      // The place is found by bisection.
      let read = Int.bitWidth - count.leadingZeroBitCount + 1
      size.nodes += nodes * read
      size.bytes += nodes * order.descriptors.count * min(reading.bytes, read * reading.largest)
    } else {
      size.nodes += nodes * count
      size.bytes += nodes * order.descriptors.count * reading.bytes
    }
  }

  /// Returns the sizes of the objects of a node's first children, whose number is limited.
  private mutating func reading(
    childrenOf parent: NodeID,
    _ content: borrowing TreeContent
  ) -> Reading {
    if let known = readings[parent] { return known }
    var reading = Reading()
    var rest = content.limits.maxSmallNodes
    content.tree.forEachChild(of: parent) { child in
      let bytes = content.tree.object(of: child).count
      reading.bytes += bytes
      reading.largest = max(reading.largest, bytes)
      rest -= 1
      return rest > 0
    }
    readings[parent] = reading
    return reading
  }
}

extension WorkSize {
  /// Estimates the size of a batch.
  ///
  /// Stops adding operations once the size is not small.
  init(
    of batch: Batch,
    by session: OpenSession?,
    _ options: BatchOptions,
    in content: borrowing TreeContent,
    notifying sessions: borrowing OpenSessions
  ) {
    var sum = BatchSize(batch, by: session, options, content, notifying: sessions)
    for operation in batch.operations {
      guard sum.size.isSmall(content.limits) else { break }
      sum.add(operation, of: batch, by: session, in: content)
    }
    self = sum.size
  }
}

import TreeDomain
import TreeEngine

// The place of a node: the parent or section, and the index among the siblings.
extension TreeContent {
  /// Returns the parent of a new node, or the section of a new root.
  func target(
    _ parent: ByteSlice?,
    _ section: ByteSlice?,
    _ place: Place,
    in batch: Batch
  ) throws(ServiceError) -> NodeID {
    try rootSection(parent, section, place, in: batch) ?? sections.first
  }

  /// Returns the parent or section that the request names, else the section of its anchor.
  ///
  /// The result is nil without an anchor, and for one that is no root.
  private func rootSection(
    _ parent: ByteSlice?,
    _ section: ByteSlice?,
    _ place: Place,
    in batch: Batch
  ) throws(ServiceError) -> NodeID? {
    if let parent { return try findParent(parent, in: batch) }
    if let section { return try self.section(named: batch[section]) }
    switch place {
    case .before(let key), .after(let key):
      guard let anchor = tree.node(forKey: batch[key].span) else { return nil }
      let above = tree.parent(of: anchor)
      // An anchor that is no root is refused when the index is resolved.
      return tree.isSection(above) ? above : nil
    case .default, .index, .first, .sorted: return nil
    }
  }

  func findParent(_ key: ArraySlice<UInt8>) throws(ServiceError) -> NodeID {
    guard let node = tree.node(forKey: key.span) else {
      throw ServiceError(
        .parentNotFound,
        "The tree has no node with the key that `parent` names; insert that first.",
        key: key
      )
    }
    return node
  }

  /// Returns the parent or section for nodes that move.
  ///
  /// If the request names neither, the nodes become roots in the section of the first node.
  func target(
    moving nodes: [NodeID],
    _ parent: ByteSlice?,
    _ section: ByteSlice?,
    _ place: Place,
    in batch: Batch
  ) throws(ServiceError) -> NodeID {
    if let target = try rootSection(parent, section, place, in: batch) { return target }
    return sections.all[sectionIndex(of: nodes[0])].node
  }

  /// Returns the index of a place among the children of a node, not counting those in `moved`.
  ///
  /// - Throws: `index-out-of-range`, or `anchor-not-a-sibling`.
  func index(
    of place: Place,
    under parent: NodeID,
    without moved: [NodeID] = [],
    in batch: Batch
  ) throws(ServiceError) -> Int {
    if case .first = place { return 0 }
    let out = moved.isEmpty ? [] : positions(of: moved, under: parent)
    let count = tree.childCount(of: parent) - out.count
    switch place {
    case .first: return 0
    case .default, .sorted: return count
    case .index(let index):
      guard index <= count else { throw Self.indexOutOfRange(index, count) }
      return index
    case .before(let key):
      return try remaining(anchor(key, under: parent, without: moved, in: batch), out)
    case .after(let key):
      return try remaining(anchor(key, under: parent, without: moved, in: batch), out) + 1
    }
  }

  /// Returns the ascending positions of those nodes that are children of a parent.
  private func positions(of nodes: [NodeID], under parent: NodeID) -> [Int] {
    nodes.filter { tree.parent(of: $0) == parent }.map { tree.position(of: $0) }.sorted()
  }

  /// Returns a node's position, not counting the positions in `out`.
  private func remaining(_ node: NodeID, _ out: [Int]) -> Int {
    let position = tree.position(of: node)
    return position - out.count { $0 < position }
  }

  private func anchor(
    _ key: ByteSlice,
    under parent: NodeID,
    without moved: [NodeID],
    in batch: Batch
  ) throws(ServiceError) -> NodeID {
    guard let node = tree.node(forKey: batch[key].span), tree.parent(of: node) == parent,
      !moved.contains(node)
    else {
      throw ServiceError(
        .anchorNotASibling,
        "`before` and `after` must name a child of the new parent that is not itself moved.",
        key: batch[key]
      )
    }
    return node
  }

  static func indexOutOfRange(_ index: Int, _ count: Int) -> ServiceError {
    var error = ServiceError(
      .indexOutOfRange,
      "`index` is \(index), but only 0 to \(count) are places here."
    )
    error.limit = count
    return error
  }

  /// Returns the child at an index, not counting some nodes; `nil` at the end.
  func child(_ index: Int, of parent: NodeID, without moved: [NodeID]) -> NodeID? {
    var place = index
    for position in positions(of: moved, under: parent) where position <= place { place += 1 }
    return place < tree.childCount(of: parent) ? tree.child(place, of: parent) : nil
  }

  // MARK: Prefetched keys

  /// Begins to load the index entry of the key in a batch with one operation.
  func expectKey(of batch: borrowing Batch) -> ExpectedKey? {
    guard batch.operations.count == 1, let key = batch.operations[0].mainKey else { return nil }
    return ExpectedKey(key: key, hash: tree.expect(batch.bytes.span.extracting(key.range)))
  }

  /// Begins to load the node with an expected key.
  mutating func expectNode(of expected: ExpectedKey?) {
    ahead.only = expected
    if let expected { tree.expectNode(ofHash: expected.hash) }
  }

  /// Sets the current operation, and prefetches the next ones after every ``PrefetchedKeys/width``
  /// operations.
  mutating func prefetch(of batch: Batch, to operation: Int) {
    let operations = batch.operations[operation...].prefix(PrefetchedKeys.width)
    if operation % PrefetchedKeys.width == 0 {
      let isFew = operations.count < PrefetchedKeys.fewest
      ahead = isFew ? PrefetchedKeys() : PrefetchedKeys(operations, of: batch, in: tree)
    }
    ahead.go(to: operation)
  }

  /// Returns the hash of a new node's key, if it was prefetched.
  func expectedHash(of node: NewNode) -> UInt32? { ahead.hash(of: node.key) }

  /// Returns the node with a key that an operation names.
  ///
  /// - Throws: `node-not-found`.
  func find(_ key: ByteSlice, in batch: Batch) throws(ServiceError) -> NodeID {
    if let node = ahead.node(for: key, of: batch, in: tree) { return node }
    return try find(batch[key])
  }

  /// Returns the parent with a key that an operation names.
  ///
  /// - Throws: `parent-not-found`.
  func findParent(_ key: ByteSlice, in batch: Batch) throws(ServiceError) -> NodeID {
    if let node = ahead.node(for: key, of: batch, in: tree) { return node }
    return try findParent(batch[key])
  }
}

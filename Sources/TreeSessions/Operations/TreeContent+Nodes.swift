import TreeDomain
import TreeEngine

extension TreeContent {
  /// Inserts a subtree, which is a range of the batch's nodes.
  ///
  /// The range may have several subtrees if no order determines a place for each.
  ///
  /// - Throws: The reason to refuse the subtree, such as `duplicate-key`, `depth-limit` or
  ///   `index-out-of-range`.
  mutating func insert(
    _ nodes: Range<Int>,
    of batch: Batch,
    under parent: NodeID,
    _ place: Place
  ) throws(ServiceError) {
    try checkRoom(for: nodes.count, bytes: batch.byteCount(of: nodes))
    try meter.count(nodes.count)
    let list =
      sort.isEmpty ? batch.nodes[nodes] : try batch.sorted(nodes, by: sort, counting: meter)[...]
    let root = list[list.startIndex]
    let index: Int
    let order = siblings.order(of: place, in: batch)
    var key: SortKey?
    if let order {
      let subject = SortOrder.Subject(key: batch[root.key], object: batch[root.object])
      try meter.count(order.steps(toRead: subject))
      let sortKey = order.key(of: subject)
      index = try siblings.index(of: sortKey, by: order, under: parent, in: tree, meter)
      key = sortKey
    } else {
      do throws(ServiceError) {
        index = try self.index(of: place, under: parent, in: batch)
      } catch {
        // A duplicate key is reported first.
        throw tree.node(forKey: batch[root.key].span) == nil ? error : duplicate(batch[root.key])
      }
      siblings.forget(parent)
    }
    let node: NodeID
    let (hash, meter) = (expectedHash(of: root), meter)
    node = try meter.relay { () throws(TreeError) in
      try tree.insert(list, bytes: batch.bytes, under: parent, at: index, hash: hash) {
        steps throws(Interruption) in try meter.step(steps)
      }
    } _: { error in
      guard case .duplicateKey(let offset) = error else { return service(error) }
      return duplicate(batch[list[list.startIndex + offset].key])
    }
    if let key, let order { siblings.keep(key, of: node, by: order) }
    try siblings.recordSibling(node, under: parent, at: index, in: tree, meter)
  }

  func duplicate(_ key: ArraySlice<UInt8>) -> ServiceError {
    ServiceError(
      .duplicateKey,
      "A key is given to one node of a tree only; choose another.",
      key: key
    )
  }

  /// Checks that a number of nodes with a number of bytes can be added.
  ///
  /// - Throws: `content-too-large` if the tree would have too many nodes, or `overloaded` if there
  ///   is not enough memory.
  func checkRoom(for count: Int, bytes: Int) throws(ServiceError) {
    if nodeCount + count > limits.maxNodesPerTree {
      throw .tooLarge(
        limit: limits.maxNodesPerTree,
        "A tree holds at most \(limits.maxNodesPerTree) nodes; remove some first."
      )
    }
    try checkRoom(nodes: count, bytes: bytes)
  }

  /// Removes nodes, some of which may be descendants of others.
  ///
  /// - Throws: `node-not-found` with the first key that no node has.
  /// - Complexity: O(*k* log *n* + *m*) for *k* keys and *m* removed nodes.
  mutating func removeAll(
    _ keys: ArraySlice<ByteSlice>,
    in batch: Batch
  ) throws(ServiceError) {
    try meter.count(keys.count)
    for key in keys { _ = try find(batch[key]) }
    // A key without a node was removed with an ancestor.
    for key in keys {
      if let node = tree.node(forKey: batch[key].span) { try remove(node) }
    }
  }

  mutating func remove(_ node: NodeID) throws(ServiceError) {
    if tree.childCount(of: node) > 0 { siblings.forgetAll() }
    siblings.forget(node)
    siblings.recordLeaving(node, in: tree)
    try removeSubtree(node)
  }

  /// Removes a node and its descendants, and counts them as work.
  mutating func removeSubtree(_ node: NodeID) throws(ServiceError) {
    try counted { tree, count throws(Interruption) in try tree.remove(node, counting: count) }
  }

  /// Returns the nodes with some keys, in order.
  ///
  /// - Throws: `node-not-found`.
  func findAll(
    _ keys: ArraySlice<ByteSlice>,
    in batch: Batch
  ) throws(ServiceError) -> [NodeID] {
    var nodes: [NodeID] = []
    for key in keys { nodes.append(try find(batch[key])) }
    return nodes
  }
}

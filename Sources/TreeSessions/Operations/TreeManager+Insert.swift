import TreeDomain
import TreeEngine

extension TreeManager {
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
    let list = sort.isEmpty ? batch.nodes[nodes] : try sorted(nodes, of: batch)[...]
    let root = list[list.startIndex]
    let index: Int
    let order = order(of: place, in: batch)
    var key: SortKey?
    if let order {
      let subject = SortOrder.Subject(key: batch[root.key], object: batch[root.object])
      try meter.count(order.steps(toRead: subject))
      let sortKey = order.key(of: subject)
      index = try sortedIndex(of: sortKey, by: order, under: parent)
      key = sortKey
    } else {
      do throws(ServiceError) {
        index = try self.index(of: place, under: parent, in: batch)
      } catch {
        // A duplicate key is reported first.
        throw tree.node(forKey: batch[root.key].span) == nil ? error : duplicate(batch[root.key])
      }
      sorted.forget(parent)
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
    if let key, let order { sortKeys.keep(key, of: node, by: order) }
    try recordSibling(node, under: parent, at: index)
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

  /// Returns an error of the engine in the terms of the contract.
  func service(_ error: TreeError) -> ServiceError {
    switch error {
    case .interrupted: return ServiceError(.internalError, "a step was stopped without a reason")
    case .duplicateKey, .cycle, .indexOutOfRange:
      preconditionFailure("the engine is not asked before keys, cycles and places are checked")
    case .depthLimit:
      // The engine's limit includes the level of sections.
      var error = ServiceError(
        .depthLimit,
        "A node may stand at most at depth \(limits.maxDepth), a root being at 0; name a parent "
          + "higher up."
      )
      error.limit = limits.maxDepth
      return error
    }
  }
}

extension Batch {
  /// Returns the size of the keys and objects of some nodes in bytes.
  func byteCount(of nodes: Range<Int>) -> Int {
    var count = 0
    for node in nodes {
      count += self.nodes[node].key.count + self.nodes[node].object.count
    }
    return count
  }
}

import JSON
import TreeDomain
import TreeEngine

/// The part of a put that says where the node should be.
struct PutWish: Equatable {
  var parent = ParentReference.absent
  var section: ByteSlice?
  var place = Place.default
}

extension TreeContent {
  /// Inserts a node.
  ///
  /// If a node with its key exists, replaces the object of that node, and moves the node if a place
  /// is given.
  ///
  /// - Returns: True if a node was made.
  /// - Throws: The reason to refuse it.
  mutating func put(
    _ nodes: Range<Int>,
    _ wish: PutWish,
    givesChildren: Bool,
    in batch: Batch
  ) throws(ServiceError) -> Bool {
    let new = batch.nodes[nodes.lowerBound]
    guard let node = tree.node(forKey: batch[new.key].span) else {
      let target = try target(wish.parent.key, wish.section, wish.place, in: batch)
      try insert(nodes, of: batch, under: target, wish.place)
      return true
    }
    if givesChildren {
      throw ServiceError(
        .invalidRequest,
        "The node is there; `children` can only be given to a new one.",
        key: batch[new.key]
      )
    }
    try update(node, .replace(ByteSlice(new.object)), in: batch)
    guard wish != PutWish() else { return false }
    var target = tree.parent(of: node)
    if wish.parent != .absent || wish.section != nil || tree.isSection(target) {
      target = try self.target(
        moving: [node],
        wish.parent.key,
        wish.section,
        wish.place,
        in: batch
      )
    }
    try move([node], under: target, wish.place, in: batch)
    return false
  }

  mutating func update(
    _ node: NodeID,
    _ change: Operation.ObjectChange,
    in batch: Batch
  ) throws(ServiceError) {
    let old = try orderedKeys(of: node)
    switch change {
    case .replace(let object):
      try meter.count(1 + object.count / 64)
      try checkRoom(bytes: object.count)
      tree.update(node, object: batch[object].span)
    case .merge(let patch):
      let object = try merged(patch, into: node, in: batch)
      try checkRoom(bytes: object.count)
      tree.update(node, object: object.span)
    }
    try siblings.recordChange(of: node, in: tree, meter)
    if let old { try restoreOrder(of: node, from: old) }
  }

  /// The sort keys that determine the place of a node among its siblings.
  private struct OrderedKeys {
    /// The key by the known order of the siblings; nil if that is the order of the tree.
    var known: SortKey?
    /// The key by the order of the tree; nil if the tree has none.
    var own: SortKey?
  }

  /// Reads the sort keys of a node; `nil` if its siblings have no order.
  private mutating func orderedKeys(of node: NodeID) throws(ServiceError) -> OrderedKeys? {
    let known = siblings.order(of: tree.parent(of: node))
    guard known != nil || !sort.isEmpty else { return nil }
    var keys = OrderedKeys()
    if !sort.isEmpty { keys.own = try siblings.key(of: node, by: sort, in: tree, meter) }
    if let known, known != sort {
      keys.known = try siblings.key(of: node, by: known, in: tree, meter)
    }
    return keys
  }

  private func merged(
    _ patch: ByteSlice,
    into node: NodeID,
    in batch: Batch
  ) throws(ServiceError) -> [UInt8] {
    try meter.count(1 + (patch.count + tree.object(of: node).count) / 64)
    let object: [UInt8]
    do {
      object = try MergePatch.apply(
        Array(batch[patch]),
        to: Array(tree.json(of: node)),
        maxDepth: limits.maxJSONDepth
      )
    } catch {
      var refusal = ServiceError(
        .invalidRequest,
        "The merged object would be nested too deep; merge less into it.",
        key: tree.key(of: node)
      )
      refusal.limit = limits.maxJSONDepth
      throw refusal
    }
    guard object.count <= limits.maxObjectBytes else {
      var refusal = ServiceError(
        .contentTooLarge,
        "The merged object would have more bytes than an object may; merge less into it.",
        key: tree.key(of: node)
      )
      refusal.limit = limits.maxObjectBytes
      throw refusal
    }
    return object
  }

  /// Moves a node to its sorted place if an update changed its sort key.
  private mutating func restoreOrder(
    of node: NodeID,
    from old: OrderedKeys
  ) throws(ServiceError) {
    let parent = tree.parent(of: node)
    // Siblings in the order of the tree stay sorted, because the node is moved to its place.
    if let key = old.known, let known = siblings.order(of: parent),
      try siblings.key(of: node, by: known, in: tree, meter) != key
    {
      siblings.forget(parent)
    }
    guard let own = old.own, case let new = try siblings.key(of: node, by: sort, in: tree, meter),
      own != new
    else {
      return
    }
    let index = try siblings.index(of: new, by: sort, under: parent, without: node, in: tree, meter)
    siblings.recordLeaving(node, in: tree)
    try edited { tree, count throws(TreeError) in
      try tree.move(node, under: parent, at: index, counting: count)
    }
    try siblings.recordSibling(node, under: parent, at: index, in: tree, meter)
  }
}

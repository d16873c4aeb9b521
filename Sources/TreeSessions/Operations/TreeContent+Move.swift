import TreeDomain
import TreeEngine

extension TreeContent {
  /// Moves nodes to a place, in the given order.
  mutating func move(
    _ keys: ArraySlice<ByteSlice>,
    _ parent: ByteSlice?,
    _ section: ByteSlice?,
    _ place: Place,
    in batch: Batch
  ) throws(ServiceError) {
    var nodes: [NodeID] = []
    try meter.count(keys.count)
    for key in keys { nodes.append(try find(batch[key])) }
    let target = try target(moving: nodes, parent, section, place, in: batch)
    try move(nodes, under: target, place, in: batch)
  }

  mutating func move(
    _ nodes: [NodeID],
    under parent: NodeID,
    _ place: Place,
    in batch: Batch
  ) throws(ServiceError) {
    for node in nodes where tree.isNode(parent, atOrBelow: node) {
      throw ServiceError(
        .cycle,
        "A node cannot be moved below itself; name another parent.",
        key: tree.key(of: node)
      )
    }
    if let order = siblings.order(of: place, in: batch) {
      return try moveSorted(nodes, under: parent, by: order)
    }
    let index = try index(of: place, under: parent, without: nodes, in: batch)
    siblings.forget(parent)
    let anchor = child(index, of: parent, without: nodes)
    for node in nodes {
      // Each node goes directly before the sibling that will follow them all.
      let isSibling = tree.parent(of: node) == parent
      let end = anchor.map { tree.position(of: $0) } ?? tree.childCount(of: parent)
      let isBefore = isSibling && tree.position(of: node) < end
      try move(node, under: parent, at: isBefore ? end - 1 : end)
    }
  }

  /// Moves nodes to their sorted places, one after the other.
  ///
  /// Nodes that are children of the parent already first move behind all others. So no node is
  /// compared with one that is not in its place yet.
  private mutating func moveSorted(
    _ nodes: [NodeID],
    under parent: NodeID,
    by order: SortOrder
  ) throws(ServiceError) {
    var placed = tree.childCount(of: parent)
    if nodes.count > 1 {
      let last = placed - 1
      for node in nodes where tree.parent(of: node) == parent {
        try move(node, under: parent, at: last)
        placed -= 1
      }
    }
    for node in nodes {
      let index = try siblings.index(
        of: try siblings.key(of: node, by: order, in: tree, meter),
        by: order,
        under: parent,
        without: node,
        amongFirst: placed,
        in: tree,
        meter
      )
      try move(node, under: parent, at: index)
      placed += 1
    }
  }

  private mutating func move(
    _ node: NodeID,
    under parent: NodeID,
    at index: Int
  ) throws(ServiceError) {
    try meter.count()
    siblings.recordLeaving(node, in: tree)
    try edited { tree, count throws(TreeError) in
      try tree.move(node, under: parent, at: index, counting: count)
    }
    try siblings.recordSibling(node, under: parent, at: index, in: tree, meter)
  }
}

import JSON
import TreeDomain
import TreeEngine

extension TreeManager {
  /// Applies a batch, all of it or nothing.
  mutating func apply(
    _ batch: Batch,
    _ options: BatchOptions
  ) throws(ServiceError) -> BatchAnswer {
    tree.begin(listLimit: listLimit(batch, options))
    var hasCreatedNode = false
    for (index, operation) in batch.operations.enumerated() {
      do throws(ServiceError) {
        if try apply(operation, of: batch) { hasCreatedNode = true }
      } catch {
        tree.rollback()
        sorted.forgetAll()
        throw error.at(operation: index)
      }
    }
    let previous = revision
    advance(data: tree.hasDataChanges, view: tree.hasExpansionChanges(in: view))
    var answer = answer(since: previous, options)
    answer.hasCreatedNode = hasCreatedNode
    tree.commit()
    countBytes()
    return answer
  }

  /// With a single operation, deletions that no entry will name one by one need not be listed (a run
  /// of one row has its key); with several, what cancels can only be told by node.
  private func listLimit(_ batch: Batch, _ options: BatchOptions) -> Int {
    guard batch.operations.count == 1 else { return .max }
    if case .move(let keys, _, _) = batch.operations[0], keys.count > 1 { return .max }
    return options.format == .ranges ? 1 : max(1, limits.maxChanges)
  }

  /// Applies one operation.
  ///
  /// - Returns: Whether it was a put that made a node.
  private mutating func apply(
    _ operation: Operation,
    of batch: Batch
  ) throws(ServiceError) -> Bool {
    switch operation {
    case .insert(let nodes, let parent, let place):
      try insert(nodes, of: batch, under: findParent(parent, in: batch), place)
    case .put(let nodes, let parent, let place, let givesChildren):
      return try put(nodes, parent, place, givesChildren: givesChildren, in: batch)
    case .update(let key, let change):
      try update(find(batch[key]), change, in: batch)
    case .remove(let key):
      let node = try find(batch[key])
      if tree.childCount(of: node) > 0 { sorted.forgetAll() }
      sorted.forget(node)
      tree.remove(node)
    case .move(let keys, let parent, let place):
      try move(keys, parent, place, in: batch)
    case .expand(let key, let levels):
      tree.expand(try find(batch[key]), levels: levels.number, in: view)
    case .collapse(let key, let levels):
      collapse(try find(batch[key]), levels)
    case .toggle(let key, let levels):
      let node = try find(batch[key])
      if tree.isExpanded(node, in: view) {
        collapse(node, levels)
      } else {
        tree.expand(node, levels: levels.number, in: view)
      }
    case .expandAll: tree.setRule(.all, in: view)
    case .collapseAll: tree.setRule(.none, in: view)
    case .reveal(let keys): try reveal(keys, in: batch)
    }
    return false
  }

  private func findParent(
    _ key: ByteSlice?,
    in batch: Batch
  ) throws(ServiceError) -> NodeID {
    guard let key else { return .forestRoot }
    guard let node = tree.node(forKey: batch[key].span) else {
      throw ServiceError(
        .parentNotFound,
        "The tree has no node with the key that `parent` names.",
        key: batch[key]
      )
    }
    return node
  }

  private mutating func collapse(_ node: NodeID, _ levels: Levels) {
    let forgets = options.nestedExpansion == .forget
    tree.collapse(node, levels: forgets ? .max : levels.number, in: view)
  }

  private mutating func reveal(_ keys: [ByteSlice], in batch: Batch) throws(ServiceError) {
    var nodes: [NodeID] = []
    for key in keys { nodes.append(try find(batch[key])) }
    tree.reveal(nodes, in: view)
  }

  /// Inserts a node, or replaces the object of the one that has the key and moves it where asked.
  private mutating func put(
    _ nodes: Range<Int>,
    _ parent: ParentReference,
    _ place: Place,
    givesChildren: Bool,
    in batch: Batch
  ) throws(ServiceError) -> Bool {
    let new = batch.nodes[nodes.lowerBound]
    guard let node = tree.node(forKey: batch[new.key].span) else {
      try insert(nodes, of: batch, under: findParent(parent.key, in: batch), place)
      return true
    }
    if givesChildren {
      throw ServiceError(
        .invalidRequest,
        "The node is there; `children` can only be given to a new one.",
        key: batch[new.key]
      )
    }
    try update(node, .replace(new.object), in: batch)
    guard parent != .absent || place != .default else { return false }
    let target =
      parent == .absent ? tree.parent(of: node) : try findParent(parent.key, in: batch)
    try move([node], under: target, place, in: batch)
    return false
  }

  private mutating func update(
    _ node: NodeID,
    _ change: Operation.ObjectChange,
    in batch: Batch
  ) throws(ServiceError) {
    try checkBytes()
    let old = subject(node)
    switch change {
    case .replace(let object):
      tree.update(node, object: batch[object].span)
    case .merge(let patch):
      let object = try merged(patch, into: node, in: batch)
      tree.update(node, object: object.span)
    }
    restoreOrder(of: node, from: old)
  }

  private func merged(
    _ patch: ByteSlice,
    into node: NodeID,
    in batch: Batch
  ) throws(ServiceError) -> [UInt8] {
    let object: [UInt8]
    do {
      object = try MergePatch.apply(
        Array(batch[patch]),
        to: Array(self.object(of: node)),
        maxDepth: limits.maxJSONDepth
      )
    } catch {
      var refusal = ServiceError(
        .invalidRequest,
        "The merged object would be nested too deep.",
        key: tree.key(of: node)
      )
      refusal.limit = limits.maxJSONDepth
      throw refusal
    }
    guard object.count <= limits.maxObjectBytes else {
      var refusal = ServiceError(
        .contentTooLarge,
        "The merged object would have more bytes than an object may.",
        key: tree.key(of: node)
      )
      refusal.limit = limits.maxObjectBytes
      throw refusal
    }
    return object
  }

  /// After an update: under a tree-level sort the node goes where its new value belongs.
  private mutating func restoreOrder(of node: NodeID, from old: SortOrder.Subject) {
    let parent = tree.parent(of: node)
    guard let order = options.sort.isEmpty ? sorted.order(of: parent) : options.sort else { return }
    let new = order.key(of: subject(node))
    guard order.compare(order.key(of: old), new) != 0, !fits(node, new, by: order) else { return }
    guard !options.sort.isEmpty else {
      sorted.forget(parent)
      return
    }
    let index = sortedIndex(of: subject(node), by: order, under: parent, without: node)
    do {
      try tree.move(node, under: parent, at: index)
    } catch {
      preconditionFailure("a node can always move among its siblings")
    }
  }

  /// Whether a node stands in order between its neighbours.
  private func fits(_ node: NodeID, _ key: SortKey, by order: SortOrder) -> Bool {
    let parent = tree.parent(of: node)
    let position = tree.position(of: node)
    if position > 0 {
      let before = order.key(of: subject(tree.child(position - 1, of: parent)))
      if order.compare(before, key) > 0 { return false }
    }
    guard position + 1 < tree.childCount(of: parent) else { return true }
    let after = order.key(of: subject(tree.child(position + 1, of: parent)))
    return order.compare(key, after) <= 0
  }
}

extension Levels {
  fileprivate var number: Int {
    switch self {
    case .count(let count): count
    case .all: .max
    }
  }
}

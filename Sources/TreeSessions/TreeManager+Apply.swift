import TreeDomain
import TreeEngine

extension TreeManager {
  /// Applies a batch, all of it or nothing.
  mutating func apply(
    _ batch: Batch,
    _ options: BatchOptions
  ) throws(ServiceError) -> BatchAnswer {
    guard !hasEnded else { throw .sessionNotFound }
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

  /// With a single operation, deletions that no entry will name one by one need not be listed (a
  /// run of one row has its key); with several, what cancels can only be told by node.
  private func listLimit(_ batch: Batch, _ options: BatchOptions) -> Int {
    guard batch.operations.count == 1 else { return .max }
    if case .move(let keys, _, _, _) = batch.operations[0], keys.count > 1 { return .max }
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
    case .insert(let nodes, let parent, _, let place):
      try insert(nodes, of: batch, under: findParent(parent, in: batch), place)
    case .put(let nodes, let parent, _, let place, let givesChildren):
      return try put(nodes, parent, place, givesChildren: givesChildren, in: batch)
    case .update(let key, let change):
      try update(find(batch[key]), change, in: batch)
    case .remove(let key):
      let node = try find(batch[key])
      if tree.childCount(of: node) > 0 { sorted.forgetAll() }
      sorted.forget(node)
      tree.remove(node)
    case .move(let keys, let parent, _, let place):
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
    case .reveal(let keys, _): try reveal(keys, in: batch)
    case .setChildren, .sort, .insertSection, .removeSection, .moveSection, .renameSection,
      .select, .deselect, .clearSelection, .expandSection, .collapseSection:
      throw ServiceError(.unknownOperation, "There is no such operation.")
    }
    return false
  }

  func findParent(
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
}

extension Levels {
  fileprivate var number: Int {
    switch self {
    case .count(let count): count
    case .all: .max
    }
  }
}

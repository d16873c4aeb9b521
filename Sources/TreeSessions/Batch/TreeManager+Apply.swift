import TreeDomain
import TreeEngine

// Applying one operation.
extension TreeManager {
  /// Applies one operation in the running transaction.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - batch: The batch that contains it.
  ///   - session: The session; nil if the batch was sent to the tree.
  /// - Returns: True if it was a put that made a node.
  /// - Throws: The reason to refuse it.
  mutating func apply(
    _ operation: Operation,
    of batch: Batch,
    by session: OpenSession?
  ) throws(ServiceError) -> Bool {
    switch operation {
    case .insert(let nodes, let parent, let section, let place):
      let target = try target(parent, section, place, in: batch)
      try insert(nodes.range, of: batch, under: target, place)
    case .put(let nodes, let parent, let section, let place, let givesChildren):
      let wish = PutWish(parent: parent, section: section, place: place)
      return try put(nodes.range, wish, givesChildren: givesChildren, in: batch)
    case .update(let key, let change):
      try update(find(key, in: batch), change, in: batch)
    case .remove(let key):
      try remove(find(key, in: batch))
    case .removeAll(let keys):
      try removeAll(batch.keys[keys.range], in: batch)
    case .move(let keys, let parent, let section, let place):
      try move(batch.keys[keys.range], parent, section, place, in: batch)
    case .setChildren(let target, let children):
      try setChildren(of: target, children, in: batch)
    case .sort(let target, let order):
      try sort(target, by: batch.orders[order], in: batch)
    case .insertSection(let name, let index):
      try insertSection(batch[name], at: index)
    case .removeSection(let name):
      try removeSection(batch[name])
    case .moveSection(let name, let index):
      try moveSection(batch[name], to: index)
    case .renameSection(let name, let newName):
      try renameSection(batch[name], to: batch[newName])
    case .expand, .collapse, .toggle, .expandAll, .collapseAll, .reveal, .select, .deselect,
      .clearSelection, .expandSection, .collapseSection:
      guard let session else {
        throw ServiceError(
          .invalidRequest,
          "What is shown and selected belongs to a session; send this to one of its batches."
        )
      }
      try applyView(operation, of: batch, in: session)
    }
    return false
  }

  private mutating func applyView(
    _ operation: Operation,
    of batch: Batch,
    in session: OpenSession
  ) throws(ServiceError) {
    switch operation {
    case .expand(let key, let levels):
      try expand(find(key, in: batch), levels, in: session)
    case .collapse(let key, let levels):
      try collapse(find(key, in: batch), levels, in: session)
    case .toggle(let key, let levels):
      let node = try find(key, in: batch)
      if tree.isExpanded(node, in: session.view) {
        try collapse(node, levels, in: session)
      } else {
        try expand(node, levels, in: session)
      }
    case .expandAll: try setRule(.all, in: session)
    case .collapseAll: try setRule(.none, in: session)
    case .reveal(let keys, let selects):
      try reveal(batch.keys[keys.range], selects: selects, in: session, batch)
    case .select(let target): try select(target, in: session, batch)
    case .deselect(let target): try deselect(target, in: session, batch)
    case .clearSelection: try clearSelection(in: session)
    case .expandSection(let name):
      tree.expand(try section(named: batch[name]), in: session.view)
    case .collapseSection(let name):
      tree.collapse(try section(named: batch[name]), in: session.view)
    case .insert, .put, .update, .remove, .removeAll, .move, .setChildren, .sort, .insertSection,
      .removeSection, .moveSection, .renameSection:
      preconditionFailure("\(operation) changes no view")
    }
  }

  /// Removes nodes, some of which may be descendants of others.
  ///
  /// - Throws: `node-not-found` with the first key that no node has.
  /// - Complexity: O(*k* log *n* + *m*) for *k* keys and *m* removed nodes.
  private mutating func removeAll(
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

  private mutating func remove(_ node: NodeID) throws(ServiceError) {
    if tree.childCount(of: node) > 0 { sorted.forgetAll() }
    sorted.forget(node)
    recordLeaving(node)
    try removeSubtree(node)
  }

  /// Removes a node and its descendants, and counts them as work.
  mutating func removeSubtree(_ node: NodeID) throws(ServiceError) {
    try counted { tree, count throws(Interruption) in try tree.remove(node, counting: count) }
  }
}

// Sizes of operations.
extension BatchSize {
  /// Adds the further nodes and bytes that an operation affects.
  mutating func add(
    _ operation: Operation,
    of batch: Batch,
    by session: OpenSession?,
    in manager: borrowing TreeManager
  ) {
    addPlaces(of: operation, batch, manager)
    switch operation {
    case .insert, .put, .update(_, .replace), .insertSection, .renameSection: break
    case .update(let key, .merge):
      let node = manager.tree.node(forKey: batch[key].span)
      size.bytes += (node.map { manager.tree.object(of: $0).count } ?? 0) * told
    case .remove(let key): size.nodes += subtree(batch[key], manager) * told
    case .removeAll(let keys), .move(let keys, _, _, _):
      for key in batch.keys[keys.range] where size.isSmall(manager.limits) {
        size.nodes += subtree(batch[key], manager) * told
      }
    case .setChildren(let target, _): size.nodes += below(target, batch, manager) * told
    case .sort(let target, let order):
      addSorting(target, by: batch.orders[order], batch, manager)
    case .removeSection(let name), .moveSection(let name, _):
      size.nodes += section(batch[name], manager) * told
    case .expand, .collapse, .toggle, .expandAll, .collapseAll, .reveal, .select, .deselect,
      .clearSelection, .expandSection, .collapseSection:
      if let session { size.nodes += viewNodes(operation, batch, session, manager) }
    }
  }

  private func viewNodes(
    _ operation: Operation,
    _ batch: Batch,
    _ session: OpenSession,
    _ manager: borrowing TreeManager
  ) -> Int {
    switch operation {
    case .expand(let key, let levels), .collapse(let key, let levels), .toggle(let key, let levels):
      toggledNodes(batch[key], levels, session, manager)
    case .expandSection(let name), .collapseSection(let name):
      isListed ? section(batch[name], manager) : 0
    case .expandAll, .collapseAll: manager.sizeOfShowingAll(in: session)
    case .reveal(let keys, _): revealedNodes(batch.keys[keys.range], batch, session, manager)
    case .select(.subtree(let key)), .deselect(.subtree(let key)): subtree(batch[key], manager)
    case .clearSelection: manager.tree.selectedCount(of: session.view)
    case .select(.keys), .deselect(.keys): 0
    case .insert, .put, .update, .remove, .removeAll, .move, .setChildren, .sort, .insertSection,
      .removeSection, .moveSection, .renameSection:
      preconditionFailure("\(operation) changes no view")
    }
  }
}

extension Operation {
  /// The number of keys in the operation's list of keys; 1 if it has no list.
  var nodesNamed: Int {
    switch self {
    case .removeAll(let keys), .move(let keys, _, _, _), .reveal(let keys, _),
      .select(.keys(let keys)), .deselect(.keys(let keys)):
      keys.count
    default: 1
    }
  }
}

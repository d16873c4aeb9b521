package import TreeDomain
import TreeSessions

// Shared trees; see ``SharedTreeService``.
extension ClusterService {
  /// Creates a tree that sessions can share.
  package func createTree(
    _ tree: NewTree,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Created<TreeDescription> {
    let slot = try slot(ofNew: tree.tree, idempotency)
    let others = count(beside: slot) { $0.store.counts.trees }
    return try write(slot) { service throws(ServiceError) in
      try service.createTree(tree, idempotency, beside: others)
    }
  }

  /// Returns the description of a tree.
  package func tree(
    _ id: TreeID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> TreeDescription {
    try read(core.slot(of: id)) { service throws(ServiceError) in
      try service.tree(id, expectedRevision: expectedRevision)
    }
  }

  /// Deletes a tree, and ends its sessions.
  package func deleteTree(
    _ id: TreeID,
    _ condition: RevisionCondition?,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Ending {
    try write(core.slot(of: id)) { service throws(ServiceError) in
      try service.deleteTree(id, condition, idempotency)
    }
  }

  /// Returns a node of a tree.
  package func node(
    _ key: [UInt8],
    of tree: TreeID,
    _ options: ReadOptions
  ) throws(ServiceError) -> TreeNodeView {
    try read(core.slot(of: tree)) { service throws(ServiceError) in
      try service.node(key, of: tree, options)
    }
  }

  /// Returns nodes by their keys.
  package func nodes(_ query: NodesQuery, of tree: TreeID) throws(ServiceError) -> TreeNodeList {
    try read(core.slot(of: tree)) { service throws(ServiceError) in
      try service.nodes(query, of: tree)
    }
  }

  /// Returns a range of a node's children, or of the roots.
  package func children(
    _ query: ChildrenQuery,
    of tree: TreeID
  ) throws(ServiceError) -> TreeChildRange {
    try read(core.slot(of: tree)) { service throws(ServiceError) in
      try service.children(query, of: tree)
    }
  }

  /// Applies a batch of data operations to a tree, all or none.
  package func apply(
    _ batch: Batch,
    to tree: TreeID,
    _ options: BatchOptions
  ) throws(ServiceError) -> TreeBatchAnswer {
    try write(core.slot(of: tree)) { service throws(ServiceError) in
      try service.apply(batch, to: tree, options)
    }
  }

  /// Inserts many nodes, all or none.
  package func importNodes(
    _ nodes: Import,
    into tree: TreeID,
    _ options: BatchOptions
  ) throws(ServiceError) -> TreeBatchAnswer {
    try write(core.slot(of: tree)) { service throws(ServiceError) in
      try service.importNodes(nodes, into: tree, options)
    }
  }

  /// Begins an export of a tree in its current state.
  package func export(_ tree: TreeID) throws(ServiceError) -> any TreeExport {
    try read(core.slot(of: tree)) { service throws(ServiceError) in try service.export(tree) }
  }
}

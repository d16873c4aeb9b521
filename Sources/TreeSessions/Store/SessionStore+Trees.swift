import Synchronization
public import TreeDomain

// Shared trees.
extension SessionStore {
  /// Makes a tree that sessions can share.
  public func createTree(
    _ tree: NewTree,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Created<TreeDescription> {
    let (creation, wasReplayed) = try once(idempotency) { () throws(ServiceError) in
      .tree(try make(tree))
    }
    guard case .tree(let description) = creation else { throw .idempotencyKeyReused }
    return Created(description, wasReplayed: wasReplayed)
  }

  private func make(_ new: NewTree) throws(ServiceError) -> TreeDescription {
    var generator = SystemRandomNumberGenerator()
    let id = new.tree ?? TreeID(using: &generator)
    try reserve(id)
    do throws(ServiceError) {
      let tree = LockedTree(
        try TreeManager(id: id, isPrivate: false, new: new, limits: limits, usage: usage)
      )
      let description = tree.withTree { $0.description() }
      table.withLock { table in
        table.reservedTrees.remove(id)
        table.trees[id] = tree
      }
      return description
    } catch {
      table.withLock { _ = $0.reservedTrees.remove(id) }
      throw error
    }
  }

  private func reserve(_ id: TreeID) throws(ServiceError) {
    let limit = limits.maxTrees
    try table.withLock { table throws(ServiceError) in
      guard table.trees[id] == nil, !table.reservedTrees.contains(id) else {
        throw ServiceError(
          .treeExists,
          "There is a tree of this id; use it, or choose another id.",
          key: id.bytes
        )
      }
      guard table.trees.count + table.reservedTrees.count < limit else {
        var error = ServiceError(
          .overloaded,
          "There are as many trees as there may be; delete one, or try again later."
        )
        error.limit = limit
        throw error
      }
      table.reservedTrees.insert(id)
    }
  }

  /// Lists trees by their ids.
  ///
  /// - Complexity: O(*t* log *t*) for *t* trees.
  public func trees(after: TreeID?, limit: Int) -> TreePage {
    let found = table.withLock { table in
      table.trees.filter { id, _ in
        after.map { $0.bytes.lexicographicallyPrecedes(id.bytes) } ?? true
      }
      .sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }
    }
    let page = found.prefix(limit).map { $0.value.withTree { $0.description() } }
    return TreePage(trees: page, next: found.count > limit ? page.last?.tree : nil)
  }

  /// Describes a tree.
  public func tree(
    _ id: TreeID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> TreeDescription {
    try find(id).withTree { manager throws(ServiceError) in
      try manager.check(expectedRevision)
      return manager.description()
    }
  }

  /// Deletes a tree and ends its sessions.
  public func deleteTree(_ id: TreeID) throws(ServiceError) {
    guard let tree = table.withLock({ $0.trees.removeValue(forKey: id) }) else {
      throw .treeNotFound
    }
    let ended = tree.withTree { $0.end() }
    table.withLock { table in
      for session in ended { table.sessions[session] = nil }
    }
  }

  /// Reads a node of a tree.
  public func node(
    _ key: [UInt8],
    of tree: TreeID,
    _ options: ReadOptions
  ) throws(ServiceError) -> TreeNodeView {
    try find(tree).withTree { manager throws(ServiceError) in try manager.node(key, options) }
  }

  /// Reads a run of a node's children, or of the roots of a tree.
  public func children(
    of key: [UInt8]?,
    section: [UInt8]?,
    _ range: Range<Int>,
    of tree: TreeID,
    _ options: ReadOptions
  ) throws(ServiceError) -> TreeChildRange {
    try find(tree).withTree { manager throws(ServiceError) in
      try manager.children(of: key, section: section, range, options)
    }
  }

  /// Applies a batch of data operations to a tree, all of it or nothing.
  public func apply(
    _ batch: Batch,
    to tree: TreeID,
    _ options: BatchOptions
  ) throws(ServiceError) -> TreeBatchAnswer {
    let now = clock()
    return try find(tree).withTree { manager throws(ServiceError) in
      try manager.apply(batch, options, at: now)
    }
  }

  /// Inserts many nodes, all or none.
  public func importNodes(
    _ nodes: Import,
    into tree: TreeID,
    _ options: BatchOptions
  ) throws(ServiceError) -> TreeBatchAnswer {
    let now = clock()
    let tree = try find(tree)
    let grafts = Grafts(nodes)
    return try tree.withTree { manager throws(ServiceError) in
      try manager.importNodes(grafts, options, at: now)
    }
  }

  /// Begins to read a whole tree, as it is now.
  public func export(_ tree: TreeID) throws(ServiceError) -> any TreeExport {
    try find(tree).withTree { manager throws(ServiceError) in try manager.export() }
  }
}

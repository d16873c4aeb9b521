import Synchronization
package import TreeDomain

// Shared trees; see ``TreeService``.
extension SessionStore {
  /// Creates a tree that sessions can share.
  package func createTree(
    _ tree: NewTree,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Created<TreeDescription> {
    try createTree(tree, idempotency, beside: 0)
  }

  /// Creates a tree that sessions can share.
  ///
  /// The limit includes the trees of other stores, whose number is `others`.
  package func createTree(
    _ tree: NewTree,
    _ idempotency: IdempotencyKey?,
    beside others: Int
  ) throws(ServiceError) -> Created<TreeDescription> {
    let made = try core.retries.once(idempotency) { () throws(ServiceError) in
      try make(tree, idempotency, beside: others)
    }
    guard case .tree(let description) = made.description else { throw .idempotencyKeyReused }
    return made.with(description)
  }

  private func make(
    _ new: NewTree,
    _ idempotency: IdempotencyKey?,
    beside others: Int
  ) throws(ServiceError) -> Created<Creation> {
    var generator = SystemRandomNumberGenerator()
    // A private tree may have any generated id, in memory or in storage.
    if new.tree?.isGenerated == true { throw .generatedTreeID }
    let id = new.tree ?? core.makeTreeID(using: &generator)
    try reserve(id, beside: others)
    let now = core.clock()
    do throws(ServiceError) {
      let tree = try makeTree(id, isPrivate: false, new)
      let created = try tree.change(
        .waiting(mode.control),
        JournalEntry(.makeTree(new), at: now),
        also: { created in
          tree.making(ifPrivate: false)
            + core.retries.kept(.success(created.description), for: idempotency, at: now)
        },
        { manager throws(ServiceError) in
          manager.changeCount += 1
          return Created(Creation.tree(manager.description()))
        }
      )
      core.table.withLock { table in
        table.reservedTrees.remove(id)
        table.enter(tree)
      }
      created.durability.whenLost { [core] in
        core.table.withLock { table in
          // Unless reads wait, its revisions may have been shown.
          if !tree.readsWait, let retired = tree.retired { table.retired.add(retired) }
          table.remove(tree)
        }
      }
      return created
    } catch {
      core.table.withLock { _ = $0.reservedTrees.remove(id) }
      goOnIfRefused()
      throw error
    }
  }

  private func reserve(_ id: TreeID, beside others: Int) throws(ServiceError) {
    let limit = limits.maxTrees
    try core.table.withLock { table throws(ServiceError) in
      guard table.trees[id] == nil, !table.reservedTrees.contains(id) else {
        throw ServiceError(
          .treeExists,
          "There is a tree of this id; use it, or choose another id.",
          key: id.bytes
        )
      }
      guard table.trees.count + table.reservedTrees.count + others < limit else {
        throw .overloaded(
          limit: limit,
          "There are as many trees as there may be; delete one, or try again later."
        )
      }
      table.reservedTrees.insert(id)
    }
  }

  /// Returns trees, sorted by id.
  ///
  /// Does not wait for any tree.
  ///
  /// The page has at least one tree, if there is one. Its size is limited to what an event loop may
  /// write.
  ///
  /// - Complexity: O(log *t* + `limit`) for *t* trees.
  package func trees(after: TreeID?, limit: Int) -> TreePage {
    let (found, hasMore) = core.table.withLock { $0.trees(after: after, limit: limit) }
    let maxBytes = min(limits.maxAnswerBytes, limits.maxSmallBytes)
    var page: [TreeDescription] = []
    var bytes = 0
    for tree in found {
      let description = tree.description(for: mode.attempt)
      bytes += 256 + description.arena.count + 8 * description.sections.count
      guard page.isEmpty || bytes <= maxBytes else { break }
      page.append(description)
    }
    let isCut = hasMore || page.count < found.count
    return TreePage(trees: page, next: isCut ? page.last?.tree : nil)
  }

  /// Returns the description of a tree.
  ///
  /// Waits for the tree only if it lost changes, or if its description is outdated.
  ///
  /// - Throws: `tree-not-found`, `revision-changed`.
  package func tree(
    _ id: TreeID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> TreeDescription {
    let tree = try find(id)
    if tree.isLost || tree.shown.isOutdated {
      try tree.withTree(mode) { _ throws(ServiceError) in }
    }
    let description = tree.description(for: mode.attempt)
    try description.revision.check(expectedRevision)
    return description
  }

  /// Deletes a tree, and ends its sessions, once for each idempotency key.
  @discardableResult
  package func deleteTree(
    _ id: TreeID,
    _ condition: RevisionCondition? = nil,
    _ idempotency: IdempotencyKey? = nil
  ) throws(ServiceError) -> Ending {
    try core.retries.onceEnding(idempotency) { kept throws(ServiceError) in
      let tree = try find(id)
      let ended = try tree.withTree(mode) { manager throws(ServiceError) in
        try manager.check(condition, at: manager.treeRevision)
        return try tree.end(&manager, at: core.clock(), keeping: kept)
      }
      forget(ended, with: tree)
      return ended.durability
    }
  }

  /// Returns a node of a tree.
  package func node(
    _ key: [UInt8],
    of tree: TreeID,
    _ options: ReadOptions
  ) throws(ServiceError) -> TreeNodeView {
    try read(tree) { manager throws(ServiceError) in
      let reading = try TreeReading(options, of: manager.content)
      return try reading.node(key, of: manager.content)
    }
  }

  /// Returns nodes by their keys.
  package func nodes(_ query: NodesQuery, of tree: TreeID) throws(ServiceError) -> TreeNodeList {
    try read(tree) { manager throws(ServiceError) in
      let reading = try TreeReading(query.options, of: manager.content)
      return try reading.nodes(query.keys, of: manager.content)
    }
  }

  /// Returns a range of a node's children, or of the roots.
  package func children(
    _ query: ChildrenQuery,
    of tree: TreeID
  ) throws(ServiceError) -> TreeChildRange {
    try read(tree) { manager throws(ServiceError) in
      let reading = try TreeReading(query.options, of: manager.content)
      return try reading.children(query, of: manager.content)
    }
  }

  /// Applies a batch of data operations to a tree, all or none.
  package func apply(
    _ batch: Batch,
    to tree: TreeID,
    _ options: BatchOptions
  ) throws(ServiceError) -> TreeBatchAnswer {
    let now = core.clock()
    let tree = try find(tree)
    if options.isDryRun {
      return try tree.read(mode) { manager throws(ServiceError) in
        try manager.tryOut { manager throws(ServiceError) in
          try manager.apply(batch, options, at: now)
        }
      }
    }
    let change = PreparedChange(
      entry: JournalEntry(.batch(batch), at: now, options),
      isLarge: { manager throws(ServiceError) in
        guard manager.isWorthCopy(manager.size(of: batch, by: nil, options)) else { return false }
        try manager.admit(batch, for: nil)
        return true
      },
      make: { manager, _ throws(ServiceError) in try manager.apply(batch, options, at: now) },
      keep: { manager, answer in manager.keep(.success(answer), for: options, at: now) },
      rebasing: options.condition != nil
        ? nil
        : Rebasing(
          impact: { manager in ChangeImpact(of: batch, by: nil, on: manager.content) },
          answer: { manager in manager.answerAgain(applied: batch.operations.count) },
          update: { answer, _, manager in
            answer = manager.answerAgain(applied: batch.operations.count)
            return true
          }
        )
    )
    return try tree.change(mode, change)
  }

  /// Inserts many nodes, all or none.
  package func importNodes(
    _ nodes: Import,
    into tree: TreeID,
    _ options: BatchOptions
  ) throws(ServiceError) -> TreeBatchAnswer {
    let now = core.clock()
    let tree = try find(tree)
    let size = WorkSize(nodes: nodes.nodeCount, bytes: nodes.byteCount)
    if let attempt = mode.attempt, !attempt.mayWait, !size.isSmall(limits) {
      throw attempt.refuse(to: tree.executor)
    }
    let meter = WorkMeter()
    meter.begin(mode.control)
    let imported = try ImportForest(nodes, counting: meter.count)
    let entry = JournalEntry(.importNodes(nodes), at: now, options)
    // Encoded here, because the tree is not locked yet.
    let encoded = tree.archive.map { _ in entry.encoded() }
    if let encoded, encoded.count > StoredEntry.maxBytes { throw .importTooLarge }
    let change = PreparedChange(
      entry: entry,
      encoded: encoded,
      isLarge: { manager in manager.isWorthCopy(manager.size(importing: nodes)) },
      make: { manager, _ throws(ServiceError) in
        try manager.importNodes(imported, options, at: now)
      },
      keep: { manager, answer in manager.keep(.success(answer), for: options, at: now) },
      rebasing: options.condition != nil
        ? nil
        : Rebasing(
          impact: { manager in ChangeImpact(ofImportOn: manager.content) },
          answer: { manager in manager.answerAgain(applied: nodes.nodeCount) },
          update: { answer, _, manager in
            answer = manager.answerAgain(applied: nodes.nodeCount)
            return true
          }
        )
    )
    return try tree.change(mode, change)
  }

  /// Begins an export of a tree in its current state.
  package func export(_ tree: TreeID) throws(ServiceError) -> any TreeExport {
    try withTree(tree) { manager throws(ServiceError) in
      try manager.exports.export(
        manager.content,
        for: mode.control?.payer,
        countedBy: core.means.exports,
        disposingBy: core.assign
      )
    }
  }
}

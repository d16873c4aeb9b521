import JSON
import TreeDomain
import TreeEngine

// Batches are applied as a whole or not at all, once, and only at the revision that the client
// expects.
extension TreeManager {
  /// Applies a batch for a session.
  ///
  /// - Parameters:
  ///   - batch: The operations.
  ///   - session: The session.
  ///   - options: The options of the answer.
  ///   - now: The time in seconds.
  ///   - announce: Called as soon as it is certain that data change.
  /// - Returns: The answer, which may be that of an earlier request with the same idempotency key.
  /// - Throws: The reason to refuse the batch. Nothing has changed then.
  mutating func apply(
    _ batch: Batch,
    by session: OpenSession,
    _ options: BatchOptions,
    at now: Int,
    _ announce: LockedTree.Announcement = { _, _ in }
  ) throws(ServiceError) -> BatchAnswer {
    let key = content.expectKey(of: batch)
    if case .batch(var answer)? = try retries.kept(for: options, of: session, at: now, in: &content)
    {
      answer.wasReplayed = true
      return answer
    }
    try check(options.condition, at: session.revision)
    try check(options.condition, putting: batch, at: session.revision)
    try content.demand(size(of: batch, by: session, options))
    if batch.changesSections { try admitOtherKind() }
    publishCopy(before: size(of: batch, by: session, options))
    try admit(batch, for: session.id)
    do throws(ServiceError) {
      let hasCreatedNode = try perform(batch, by: session, expecting: key)
      let traits = AnswerTraits(
        hasCreatedNode: hasCreatedNode,
        revealedKey: batch.revealedKey.map { batch[$0] }
      )
      guard options.replayKey != nil else {
        return try conclude(by: session, options, traits, announce)
      }
      var answer = try conclude(by: session, options, traits, announce)
      if answer.text == nil { answer.text = JSONWriter.text { answer.write(to: &$0) } }
      keep(.success(SessionAnswer(answer)), of: session, for: options, at: now)
      return answer
    } catch {
      keep(.failure(error), of: session, for: options, at: now)
      throw error
    }
  }

  /// Applies a batch of data operations that was sent to the tree.
  ///
  /// - Throws: The reason to refuse the batch. Nothing has changed then.
  mutating func apply(
    _ batch: Batch,
    _ options: BatchOptions,
    at now: Int
  ) throws(ServiceError) -> TreeBatchAnswer {
    try once(options, at: now) { manager throws(ServiceError) in
      try manager.content.demand(manager.size(of: batch, by: nil, options))
      if batch.changesSections { try manager.admitOtherKind() }
      manager.publishCopy(before: manager.size(of: batch, by: nil, options))
      try manager.admit(batch, for: nil)
      _ = try manager.perform(batch, by: nil)
      return try manager.concludeData(applied: batch.operations.count, options)
    }
  }

  /// Returns the size of a batch.
  func size(
    of batch: Batch,
    by session: OpenSession?,
    _ options: BatchOptions
  ) -> WorkSize {
    WorkSize(of: batch, by: session, options, in: content, notifying: sessions)
  }

  /// Returns the size of an import.
  func size(importing nodes: Import) -> WorkSize {
    WorkSize(importing: nodes, in: content, notifying: sessions)
  }

  /// Inserts nodes below parents in the tree or earlier in the import, all or none.
  ///
  /// - Throws: The reason to refuse the import, with the line. Nothing has changed then.
  mutating func importNodes(
    _ imported: consuming ImportForest,
    _ options: BatchOptions,
    at now: Int
  ) throws(ServiceError) -> TreeBatchAnswer {
    let nodes = imported.nodes
    var work = ImportWork(imported)
    return try once(options, at: now) { manager throws(ServiceError) in
      let size = manager.size(importing: nodes)
      try manager.content.demand(size)
      manager.publishCopy(before: size)
      try work.checkRoom(in: manager.content)
      manager.begin()
      do throws(ServiceError) {
        try work.apply(to: &manager.content)
      } catch {
        manager.undo()
        throw error
      }
      return try manager.concludeData(applied: nodes.nodeCount, options)
    }
  }

  /// Stores the answer of a session, if the request has an idempotency key.
  mutating func keep(
    _ answer: Result<SessionAnswer, ServiceError>,
    of session: OpenSession,
    for options: BatchOptions,
    at now: Int
  ) {
    if copying.isCopy { return }
    retries.keep(answer, of: session, for: options, at: now, in: &content)
  }

  /// Stores the answer to a request that was sent to the tree, if it has an idempotency key.
  mutating func keep(
    _ answer: Result<TreeBatchAnswer, ServiceError>,
    for options: BatchOptions,
    at now: Int
  ) {
    if copying.isCopy { return }
    retries.keep(answer, for: options, at: now, in: &content)
  }

  /// Runs a change that was sent to the tree, unless it was answered before or expects another
  /// revision.
  ///
  /// - Throws: The error of the change, or that of an earlier request with the same idempotency
  ///   key.
  mutating func once(
    _ options: BatchOptions,
    at now: Int,
    _ change: (inout TreeManager) throws(ServiceError) -> TreeBatchAnswer
  ) throws(ServiceError) -> TreeBatchAnswer {
    guard !content.hasEnded else { throw .treeNotFound }
    if var answer = try retries.kept(for: options, at: now, in: &content) {
      answer.wasReplayed = true
      return answer
    }
    try check(options.condition, at: content.treeRevision)
    do throws(ServiceError) {
      let answer = try change(&self)
      keep(.success(answer), for: options, at: now)
      return answer
    } catch {
      keep(.failure(error), for: options, at: now)
      throw error
    }
  }

  /// Begins a transaction and applies the operations of a batch.
  ///
  /// - Returns: True if one of them was a put that made a node.
  /// - Throws: The error of an operation. The transaction is rolled back then.
  private mutating func perform(
    _ batch: Batch,
    by session: OpenSession?,
    expecting key: ExpectedKey? = nil
  ) throws(ServiceError) -> Bool {
    content.expectNode(of: key)
    begin(listLimit: listLimit(batch))
    var hasCreatedNode = false
    let operations = batch.operations.span
    let isLong = operations.count >= PrefetchedKeys.fewest
    let isFreeing = batch.freesMemory
    content.siblings.beginKeys(isKeeping: batch.mayPlaceSeveral)
    defer {
      if isLong { content.ahead = PrefetchedKeys() } else { content.ahead.only = nil }
      content.siblings.endKeys()
    }
    for index in operations.indices {
      if isLong { content.prefetch(of: batch, to: index) }
      do throws(ServiceError) {
        try content.meter.count()
        if try operations[index].apply(of: batch, by: session, to: &content) {
          hasCreatedNode = true
        }
        try content.checkMemory(isFreeing: isFreeing)
      } catch {
        undo()
        throw error.at(operation: index)
      }
    }
    return hasCreatedNode
  }

  /// Returns the number of rows that may be listed one by one.
  ///
  /// With one operation, rows beyond the maximum of a change list need not be listed. With several
  /// operations, all rows must be listed, because changes of the same node may cancel out. With
  /// several sections, former rows are found by their nodes. Removed nodes have a limit of their
  /// own, because they do not come back.
  private func listLimit(_ batch: Batch) -> Int {
    guard batch.operations.count == 1, content.sections.all.count == 1, !content.tree.hasLayers
    else {
      return .max
    }
    return batch.operations[0].needsAllRows ? .max : max(1, content.limits.maxChanges)
  }

  /// Checks that the revision is the one that the client expects (RFC 9110, section 13.1).
  ///
  /// - Throws: `revision-mismatch`.
  func check(
    _ condition: RevisionCondition?,
    at current: Revision
  ) throws(ServiceError) {
    guard let condition, !condition.holds(at: current) else { return }
    throw .mismatch(
      at: current,
      "The revision is \(current.number) now, which the condition of the request excludes; read"
        + " what changed, and send If-Match with that."
    )
  }

  /// Checks that a node to put exists, or does not, as the condition demands.
  ///
  /// - Throws: `revision-mismatch`.
  private func check(
    _ condition: RevisionCondition?,
    putting batch: Batch,
    at current: Revision
  ) throws(ServiceError) {
    guard let isWanted = condition?.isNodeThere,
      case .put(let nodes, _, _, _, _)? = batch.operations.first
    else { return }
    let key = batch.nodes[nodes.offset].key
    guard (content.tree.node(forKey: batch[key].span) != nil) != isWanted else { return }
    throw .mismatch(
      at: current,
      isWanted
        ? "No such node is there; If-Match: * replaces only what is."
        : "The node is there already; If-None-Match: * inserts only what is not."
    )
  }
}

extension Batch {
  /// True if the batch may look up several places by sort order.
  fileprivate var mayPlaceSeveral: Bool {
    if case .move(let keys, _, _, _)? = operations.first, keys.count > 1 { return true }
    return operations.count > 1
  }
}

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
    let key = expectKey(of: batch)
    if case .batch(var answer)? = try kept(for: options, of: session, at: now) {
      answer.wasReplayed = true
      return answer
    }
    try check(options.condition, at: session.revision)
    try check(options.condition, putting: batch, at: session.revision)
    try demand(size(of: batch, by: session, options))
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
      try manager.demand(manager.size(of: batch, by: nil, options))
      manager.publishCopy(before: manager.size(of: batch, by: nil, options))
      try manager.admit(batch, for: nil)
      _ = try manager.perform(batch, by: nil)
      return try manager.concludeData(applied: batch.operations.count, options)
    }
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
    guard !hasEnded else { throw .treeNotFound }
    if var answer = try kept(for: options, at: now) {
      answer.wasReplayed = true
      return answer
    }
    try check(options.condition, at: treeRevision)
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
    expectNode(of: key)
    begin(listLimit: listLimit(batch))
    var hasCreatedNode = false
    let operations = batch.operations.span
    let isLong = operations.count >= PrefetchedKeys.fewest
    let isFreeing = batch.freesMemory
    sortKeys = SortKeyCache(isKeeping: batch.mayPlaceSeveral)
    defer {
      if isLong { ahead = PrefetchedKeys() } else { ahead.only = nil }
      if sortKeys.isKeeping { sortKeys = SortKeyCache() }
    }
    for index in operations.indices {
      if isLong { prefetch(of: batch, to: index) }
      do throws(ServiceError) {
        try meter.count()
        if try apply(operations[index], of: batch, by: session) { hasCreatedNode = true }
        try checkMemory(isFreeing: isFreeing)
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
    guard batch.operations.count == 1, sections.all.count == 1, !tree.hasLayers else {
      return .max
    }
    switch batch.operations[0] {
    case .move(let keys, _, _, _) where keys.count > 1: return .max
    case .removeAll(let keys) where keys.count > 1: return .max
    case .setChildren, .sort, .insertSection, .removeSection: return .max
    default: return max(1, limits.maxChanges)
    }
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
    guard (tree.node(forKey: batch[key].span) != nil) != isWanted else { return }
    throw .mismatch(
      at: current,
      isWanted
        ? "No such node is there; If-Match: * replaces only what is."
        : "The node is there already; If-None-Match: * inserts only what is not."
    )
  }
}

extension ServiceError {
  fileprivate static func mismatch(at current: Revision, _ detail: String) -> ServiceError {
    var error = ServiceError(.revisionMismatch, detail)
    error.revision = current
    return error
  }
}

extension Batch {
  /// True if the batch may look up several places by sort order.
  fileprivate var mayPlaceSeveral: Bool {
    if case .move(let keys, _, _, _)? = operations.first, keys.count > 1 { return true }
    return operations.count > 1
  }
}

extension BatchOptions {
  /// The key under which the answer is stored; nil if the answer is not stored.
  var replayKey: IdempotencyKey? { isDryRun ? nil : idempotency }
}

extension Replays {
  /// Stores an answer if the request has a key, and if a retry must get the same answer.
  mutating func keep(
    _ answer: Result<Answer, ServiceError>,
    of bytes: Int,
    _ options: BatchOptions,
    at now: Int,
    _ limits: SessionLimits
  ) {
    guard let key = options.replayKey else { return }
    if case .failure(let refusal) = answer, !refusal.code.isOfApplying { return }
    keep(answer, of: bytes, for: key, at: now, limits)
  }
}

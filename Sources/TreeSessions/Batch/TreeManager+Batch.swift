import JSON
import TreeDomain
import TreeEngine

// A batch: all of it or nothing, once, and only at the revision its client meant.
extension TreeManager {
  /// Applies a batch for a session; announces that the tree is changed as soon as that is certain.
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

  /// Applies a batch of data operations that no session sent.
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

  /// Changes the tree for a request that no session sent, unless it did so before or was meant for
  /// another revision.
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

  /// Begins a transaction and applies the operations of a batch in it.
  ///
  /// - Returns: Whether one of them was a put that made a node.
  /// - Throws: What an operation was refused for; the transaction is undone then.
  private mutating func perform(
    _ batch: Batch,
    by session: OpenSession?,
    expecting key: ExpectedKey? = nil
  ) throws(ServiceError) -> Bool {
    expectNode(of: key)
    begin(listLimit: listLimit(batch))
    var hasCreatedNode = false
    let operations = batch.operations.span
    let isLong = operations.count >= KeysAhead.fewest
    let isFreeing = batch.freesMemory
    sortKeys = SortKeyCache(isKeeping: batch.mayPlaceSeveral)
    defer {
      if isLong { ahead = KeysAhead() } else { ahead.only = nil }
      if sortKeys.isKeeping { sortKeys = SortKeyCache() }
    }
    for index in operations.indices {
      if isLong { lookAhead(of: batch, to: index) }
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

  /// With a single operation, rows that no entry will name one by one need not be listed; with
  /// several, what cancels can only be told by node, and between sections so can where they were.
  ///
  /// What is removed does not come back; that has a limit of its own.
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

  /// Refuses to change another revision than the client meant (RFC 9110, section 13.1).
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

  /// Refuses to put a node that is there, or is not, as the client did not mean it.
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
  /// True if it may look for more than one place by an order.
  fileprivate var mayPlaceSeveral: Bool {
    if case .move(let keys, _, _, _)? = operations.first, keys.count > 1 { return true }
    return operations.count > 1
  }
}

extension BatchOptions {
  /// By what the answer is kept, if it is.
  var replayKey: IdempotencyKey? { isDryRun ? nil : idempotency }
}

extension Replays {
  /// Keeps an answer where the request asked for that, and where a retry must be answered alike.
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

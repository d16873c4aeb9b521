import TreeDomain
import TreeEngine

// Long steps of the engine, which count their work.
extension TreeContent {
  /// Checks the memory that rolling the running transaction back would take.
  ///
  /// - Throws: `content-too-large`.
  /// - Complexity: O(1).
  func checkUndo() throws(ServiceError) {
    guard tree.transactionWeight + siblings.keyBytes > limits.maxUndoBytes else { return }
    throw .tooLarge(
      limit: limits.maxUndoBytes,
      "The request changes so much that undoing it would take more than `limit` bytes; change less "
        + "at once."
    )
  }

  /// Checks the memory of the running transaction, and counts it if it is not small.
  ///
  /// - Parameter isFreeing: True if the transaction only removes something. Then only the memory
  ///   for rolling it back is limited, as by ``checkUndo()``.
  /// - Throws: `content-too-large`, or `overloaded` if there is not enough memory.
  /// - Complexity: O(level indexes).
  mutating func checkMemory(isFreeing: Bool) throws(ServiceError) {
    try checkUndo()
    let bytes = tree.transactionWeight + siblings.keyBytes
    // A small difference is not worth counting.
    guard bytes > account.counted.engine.transaction + Self.smallTransactionBytes else { return }
    countUsage()
    if !isFreeing { try checkRoom(bytes: 0) }
  }

  /// The growth of a running transaction that need not be counted yet, in bytes.
  private static var smallTransactionBytes: Int { 1 << 16 }

  /// Runs a long step of the running transaction, which the engine may refuse.
  ///
  /// - Throws: The errors of the meter, those of the engine in the terms of the contract, and
  ///   `content-too-large` as ``checkUndo()``. The caller must roll back then.
  mutating func edited<Value>(
    _ step: (inout EngineTree, EngineTree.StepCounter) throws(TreeError) -> Value
  ) throws(ServiceError) -> Value {
    let meter = meter
    let value = try meter.relay { () throws(TreeError) in
      try step(&tree) { steps throws(Interruption) in try meter.step(steps) }
    } _: {
      service($0)
    }
    try checkUndo()
    return value
  }

  /// Runs a long step of the running transaction, which the meter may stop.
  ///
  /// - Throws: The errors of the meter, and `content-too-large` as ``checkUndo()``. The caller must
  ///   roll back then.
  mutating func counted<Value>(
    _ step: (inout EngineTree, EngineTree.StepCounter) throws(Interruption) -> Value
  ) throws(ServiceError) -> Value {
    let meter = meter
    let value = try meter.relay { () throws(Interruption) in
      try step(&tree) { steps throws(Interruption) in try meter.step(steps) }
    }
    try checkUndo()
    return value
  }

  /// Returns an error of the engine in the terms of the contract.
  func service(_ error: TreeError) -> ServiceError {
    switch error {
    case .interrupted: return ServiceError(.internalError, "a step was stopped without a reason")
    case .duplicateKey, .cycle, .indexOutOfRange:
      preconditionFailure("the engine is not asked before keys, cycles and places are checked")
    case .depthLimit:
      // The engine's limit includes the level of sections.
      var error = ServiceError(
        .depthLimit,
        "A node may stand at most at depth \(limits.maxDepth), a root being at 0; name a parent "
          + "higher up."
      )
      error.limit = limits.maxDepth
      return error
    }
  }

  // MARK: Small work

  /// Refuses work that must be small but is not.
  ///
  /// - Parameter size: The size. Not evaluated if the work may take long.
  /// - Throws: The error of ``Attempt/refuse()``. Nothing has changed then.
  func demand(_ size: @autoclosure () -> WorkSize) throws(ServiceError) {
    guard meter.isSmall, !size().isSmall(limits) else { return }
    try meter.demandTime()
  }

  /// Refuses to write a number of bytes, if the work must be small.
  ///
  /// - Throws: The error of ``demand(_:)``.
  func demand(bytes: Int) throws(ServiceError) { try demand(WorkSize(bytes: bytes)) }

  /// Refuses to visit a number of nodes, if the work must be small.
  ///
  /// - Throws: The error of ``demand(_:)``.
  func demand(nodes: Int) throws(ServiceError) { try demand(WorkSize(nodes: nodes)) }

  /// Refuses a call on a session if it must be small, and the tree has many sections to look up.
  ///
  /// - Throws: The error of ``demand(_:)``.
  func checkSectionsAreFew() throws(ServiceError) { try demand(nodes: sections.all.count) }

  /// The number of bytes after which a list of rows ends.
  ///
  /// If the work must be small and a list is longer, the work is refused.
  var maxRowBytes: Int {
    meter.isSmall ? min(limits.maxAnswerBytes, limits.maxSmallBytes) : limits.maxAnswerBytes
  }

  /// The maximum number of listed ancestors.
  ///
  /// If the work must be small, it is one more than may be visited. So a list that is too long is
  /// noticed, and refused.
  var maxListedAncestors: Int {
    meter.isSmall ? min(limits.maxAncestors, limits.maxSmallNodes + 1) : limits.maxAncestors
  }

  /// Runs a search in the engine, and counts each node that it visits.
  ///
  /// - Throws: The errors of the meter.
  func counting<Found>(
    _ search: (() -> Bool) -> Found
  ) throws(ServiceError) -> Found {
    try meter.relay { search { meter.proceeds() } }
  }

  /// Returns the number of rows of a session with a filter or another order than tree order; 0 for
  /// other sessions.
  func layerRows(of session: OpenSession) -> Int { session.isLayered ? rowCount(of: session) : 0 }

  /// Estimates the rows and nodes that are visited when all nodes get a new expansion rule.
  ///
  /// All nodes are visited if the session is layered, or if the children of some are not loaded.
  func sizeOfShowingAll(in session: OpenSession) -> Int {
    let isLookedAt = session.isLayered || tree.hasUnloaded
    return rowCount(of: session) + tree.toggledCount(in: session.view)
      + (isLookedAt ? nodeCount : 0)
  }

  // MARK: Answers

  /// Returns the error for an offset or index beyond the end.
  func beyondEnd(_ what: String, _ count: Int, at now: Revision) -> ServiceError {
    var error = ServiceError(
      .rangeNotSatisfiable,
      "The \(what) is beyond the last one; there are \(count), counted from 0."
    )
    error.limit = count
    error.revision = now
    return error
  }

  /// Checks that an answer with nodes is not too large.
  ///
  /// - Throws: `content-too-large`.
  func checkAnswer(bytes: Int) throws(ServiceError) {
    guard bytes > limits.maxAnswerBytes else { return }
    var error = ServiceError(
      .contentTooLarge,
      "The nodes have more than \(limits.maxAnswerBytes) bytes; ask for fewer keys or fields."
    )
    error.limit = limits.maxAnswerBytes
    throw error
  }
}

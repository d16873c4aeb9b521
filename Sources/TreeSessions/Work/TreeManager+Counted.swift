import TreeDomain
import TreeEngine

// Long steps of the engine, which count their work.
extension TreeManager {
  /// Checks the memory that rolling the running transaction back would take.
  ///
  /// - Throws: `content-too-large`.
  /// - Complexity: O(1).
  func checkUndo() throws(ServiceError) {
    guard tree.transactionWeight + sortKeys.byteCount > limits.maxUndoBytes else { return }
    throw .tooLarge(
      limit: limits.maxUndoBytes,
      "The request changes so much that undoing it would take more than `limit` bytes; change less "
        + "at once."
    )
  }

  /// Checks the memory of the running transaction, and counts it if it is not small.
  ///
  /// - Parameter isFreeing: True if the transaction only removes something, which is always
  ///   allowed.
  /// - Throws: `content-too-large`, or `overloaded` if there is not enough memory.
  /// - Complexity: O(level indexes).
  mutating func checkMemory(isFreeing: Bool) throws(ServiceError) {
    try checkUndo()
    let bytes = tree.transactionWeight + sortKeys.byteCount
    // A small difference is not worth counting.
    guard bytes > counted.engine.transaction + Self.smallTransactionBytes else { return }
    countUsage()
    if !isFreeing { try checkRoom(bytes: 0) }
  }

  /// The growth of a running transaction that need not be counted yet, in bytes.
  private static var smallTransactionBytes: Int { 1 << 16 }

  /// Runs a long read of the engine, which the meter may stop.
  ///
  /// - Throws: The errors of the meter.
  func counted<Value>(
    by meter: WorkMeter,
    reading read: (borrowing EngineTree, EngineTree.StepCounter) throws(Interruption) -> Value
  ) throws(ServiceError) -> Value {
    try meter.relay { () throws(Interruption) in
      try read(tree) { steps throws(Interruption) in try meter.step(steps) }
    }
  }

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
}

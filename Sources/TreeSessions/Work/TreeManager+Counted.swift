import TreeDomain
import TreeEngine

// Long steps of the engine, which count their work.
extension TreeManager {
  /// Refuses to go on with a transaction that takes too much memory to be undone.
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

  /// Counts what the running transaction holds so far, and refuses to go on if that is too much.
  ///
  /// - Parameter isFreeing: True if the transaction only takes something away, for which there is
  ///   always memory.
  /// - Throws: `content-too-large`; `overloaded` if there is no memory.
  /// - Complexity: O(level indexes).
  mutating func checkMemory(isFreeing: Bool) throws(ServiceError) {
    try checkUndo()
    let bytes = tree.transactionWeight + sortKeys.byteCount
    // A little is not worth the count.
    guard bytes > counted.engine.transaction + Self.smallTransactionBytes else { return }
    countUsage()
    if !isFreeing { try checkRoom(bytes: 0) }
  }

  /// A transaction of so many bytes is not counted while it runs.
  private static var smallTransactionBytes: Int { 1 << 16 }

  /// Reads something that takes long of the engine, which the meter may stop.
  ///
  /// - Throws: What the meter throws.
  func counted<Value>(
    by meter: WorkMeter,
    reading read: (borrowing EngineTree, EngineTree.StepCounter) throws(Interruption) -> Value
  ) throws(ServiceError) -> Value {
    var refusal: ServiceError?
    do throws(Interruption) {
      return try read(tree) { steps throws(Interruption) in
        do throws(ServiceError) {
          try meter.count(steps)
        } catch {
          refusal = error
          throw Interruption()
        }
      }
    } catch {
      throw refusal ?? ServiceError(.internalError, "a step was stopped without a reason")
    }
  }

  /// Does a long step of the running transaction that the engine may refuse.
  ///
  /// - Throws: What the meter throws, what the engine's refusal means to clients, and
  ///   `content-too-large` as ``checkUndo()``; the transaction is to be undone then.
  mutating func edited<Value>(
    _ step: (inout EngineTree, EngineTree.StepCounter) throws(TreeError) -> Value
  ) throws(ServiceError) -> Value {
    let meter = meter
    var refusal: ServiceError?
    let value: Value
    do throws(TreeError) {
      value = try step(&tree) { steps throws(Interruption) in
        do throws(ServiceError) {
          try meter.count(steps)
        } catch {
          refusal = error
          throw Interruption()
        }
      }
    } catch {
      throw refusal ?? service(error)
    }
    try checkUndo()
    return value
  }

  /// Does a long step of the running transaction, which the meter may stop.
  ///
  /// - Throws: What the meter throws, and `content-too-large` as ``checkUndo()``; the transaction
  ///   is to be undone then.
  mutating func counted<Value>(
    _ step: (inout EngineTree, EngineTree.StepCounter) throws(Interruption) -> Value
  ) throws(ServiceError) -> Value {
    let meter = meter
    var refusal: ServiceError?
    let value: Value
    do throws(Interruption) {
      value = try step(&tree) { steps throws(Interruption) in
        do throws(ServiceError) {
          try meter.count(steps)
        } catch {
          refusal = error
          throw Interruption()
        }
      }
    } catch {
      throw refusal ?? ServiceError(.internalError, "a step was stopped without a reason")
    }
    try checkUndo()
    return value
  }
}

import TreeDomain
import TreeEngine

// Long steps of the engine, which count their work.
extension TreeManager {
  /// Counts what the running transaction holds so far, and refuses to go on if that is too much.
  ///
  /// - Parameter isFreeing: True if the transaction only takes something away, for which there is
  ///   always memory.
  /// - Throws: `content-too-large`; `overloaded` if there is no memory.
  /// - Complexity: O(level indexes).
  mutating func checkUndo(isFreeing: Bool) throws(ServiceError) {
    let bytes = tree.transactionWeight + sortKeys.byteCount
    guard bytes <= limits.maxUndoBytes else {
      throw .tooLarge(
        limit: limits.maxUndoBytes,
        "The request changes so much that undoing it would take more than `limit` bytes; send its "
          + "operations in several batches."
      )
    }
    // A little is not worth the count.
    guard bytes > counted.engine.transaction + Self.smallTransactionBytes else { return }
    countUsage()
    if !isFreeing { try checkRoom(bytes: 0) }
  }

  /// A transaction of so many bytes is not counted while it runs.
  private static var smallTransactionBytes: Int { 1 << 16 }

  /// Does a long step of the running transaction, which the meter may stop.
  ///
  /// - Throws: What the meter throws; the transaction is to be undone then.
  mutating func counted<Value>(
    _ step: (inout EngineTree, EngineTree.StepCounter) throws(Interruption) -> Value
  ) throws(ServiceError) -> Value {
    let meter = meter
    var refusal: ServiceError?
    do throws(Interruption) {
      return try step(&tree) { steps throws(Interruption) in
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
}

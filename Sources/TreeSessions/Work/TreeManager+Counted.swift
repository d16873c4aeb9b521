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
      "The request changes so much that undoing it would take more than `limit` bytes; send its "
        + "operations in several batches."
    )
  }

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

import TreeDomain
import TreeEngine

// Long steps of the engine, which count their work.
extension TreeManager {
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

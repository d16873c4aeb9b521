/// Thrown by a caller's closure to stop a long step of a transaction, which is to be rolled back.
///
/// The closures of long steps count what has been done since they were called last: nodes, rows,
/// comparisons.
public struct Interruption: Error {
  /// Creates the error.
  public init() {}
}

extension SizedTree {
  /// Counts steps of a long piece of work, and stops it by throwing.
  public typealias StepCounter = (Int) throws(Interruption) -> Void
}

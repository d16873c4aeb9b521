/// The error that a caller's closure throws to stop a long step; the transaction must be rolled
/// back.
///
/// The closures of long steps count the nodes, rows and comparisons since their last call.
public struct Interruption: Error {
  /// Creates the error.
  public init() {}
}

extension SizedTree {
  /// A function that counts steps of long work, and throws to stop it.
  public typealias StepCounter = (Int) throws(Interruption) -> Void
}

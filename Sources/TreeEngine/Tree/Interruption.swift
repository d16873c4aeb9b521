/// The error that a caller's closure throws to stop a long step; the transaction must be rolled
/// back.
///
/// The closure of a long step is called with the number of nodes, rows and comparisons since its
/// last call.
public struct Interruption: Error {
  /// Creates the error.
  public init() {}

  /// Does work that must not end in the middle.
  ///
  /// - Parameters:
  ///   - count: Counts the steps.
  ///   - work: The work. It runs to its end even if `count` throws.
  /// - Returns: The result of the work.
  /// - Throws: The error that `count` throws, after the work is done.
  static func completing<Value>(
    _ count: (Int) throws(Interruption) -> Void,
    _ work: (_ pass: (Int) -> Void) -> Value
  ) throws(Interruption) -> Value {
    var stop: Interruption?
    let value = withoutActuallyEscaping(count) { count in
      work { steps in
        guard stop == nil else { return }
        do throws(Interruption) {
          try count(steps)
        } catch {
          stop = error
        }
      }
    }
    if let stop { throw stop }
    return value
  }
}

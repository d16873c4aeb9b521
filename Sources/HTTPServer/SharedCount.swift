import Synchronization

/// A number that all loops of one server add to and look at.
///
/// A single atomic suffices: nothing else depends on it, and a limit that it is compared with may
/// be overshot by what the loops add at the same moment.
final class SharedCount: Sendable {
  private let count = Atomic(0)

  /// The number now.
  var current: Int { count.load(ordering: .relaxed) }

  /// Adds to the number.
  ///
  /// - Returns: The number then.
  @discardableResult
  func add(_ amount: Int) -> Int { count.add(amount, ordering: .relaxed).newValue }
}

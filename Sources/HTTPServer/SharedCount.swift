import Synchronization

/// A number that all event loops of a server update and read.
///
/// It synchronizes nothing else. A limit may be exceeded by amounts that loops add simultaneously.
final class SharedCount: Sendable {
  private let count = Atomic(0)

  /// The current number.
  var current: Int { count.load(ordering: .relaxed) }

  /// Adds to the number.
  ///
  /// - Returns: The new number.
  @discardableResult
  func add(_ amount: Int) -> Int { count.add(amount, ordering: .relaxed).newValue }
}

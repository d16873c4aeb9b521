import Synchronization

/// A sum of the bytes that objects take, each of which adds its own as long as it is there.
final class SessionBytes: Sendable {
  // Nothing is ordered by it: the number is all there is to say.
  private let sum = Atomic(0)

  /// The sum.
  var count: Int { sum.load(ordering: .relaxed) }

  /// Adds bytes; fewer are there where the number is negative.
  func add(_ bytes: Int) { sum.add(bytes, ordering: .relaxed) }
}

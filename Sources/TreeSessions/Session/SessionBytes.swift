import Synchronization

/// A counter of the memory of objects, each of which adds its own while it exists.
final class SessionBytes: Sendable {
  // Relaxed ordering suffices, because only the number matters.
  private let sum = Atomic(0)

  /// The number of bytes.
  var count: Int { sum.load(ordering: .relaxed) }

  /// Adds a number of bytes, which may be negative.
  func add(_ bytes: Int) { sum.add(bytes, ordering: .relaxed) }
}

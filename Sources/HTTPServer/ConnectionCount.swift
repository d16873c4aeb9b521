import Synchronization

/// How many connections are open in all loops of one server.
///
/// A single atomic number suffices: nothing else depends on it, and the limit it is compared with
/// may be overshot by as many connections as there are loops.
final class ConnectionCount: Sendable {
  private let count = Atomic(0)

  /// The number now.
  var current: Int { count.load(ordering: .relaxed) }

  func increment() { count.add(1, ordering: .relaxed) }

  func decrement() { count.subtract(1, ordering: .relaxed) }
}

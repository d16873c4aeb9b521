import Synchronization
import TreeDomain

/// The followers that wait for a tree.
///
/// The next call that locks the tree adds them to their sessions first. So a client that reads the
/// tree after its stream has begun misses no later change.
final class FollowerArrivals: Sendable {
  private let waiting = Mutex<[FollowerArrival]>([])
  private let hasAny = Atomic(false)

  /// True if any followers wait.
  var isAny: Bool { hasAny.load(ordering: .acquiring) }

  /// Adds a waiting follower.
  ///
  /// Returns true if it is the first. The caller must then queue a call that locks the tree.
  func add(_ arrival: FollowerArrival) -> Bool {
    waiting.withLock { $0.append(arrival) }
    return !hasAny.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Adds all waiting followers to their sessions.
  func arrive(at manager: inout TreeManager, of tree: LockedTree) {
    for arrival in popAll() { arrival.arrive(at: &manager, of: tree) }
  }

  /// Ends all waiting followers, because the tree cannot be read.
  func fail(_ error: ServiceError) {
    for arrival in popAll() { arrival.fail(error) }
  }

  private func popAll() -> [FollowerArrival] {
    // Cleared before the removal, so that a follower added meanwhile counts as the first.
    hasAny.store(false, ordering: .releasing)
    return waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}

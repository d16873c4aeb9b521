import Synchronization
import TreeDomain

/// Followers that wait for one tree.
///
/// Whoever comes to the tree next adds them to their sessions before doing anything else. So a
/// client whose stream has begun misses nothing that happens after what it reads then.
final class FollowerArrivals: Sendable {
  private let waiting = Mutex<[FollowerArrival]>([])
  private let hasAny = Atomic(false)

  /// True if some wait.
  var isAny: Bool { hasAny.load(ordering: .acquiring) }

  /// Adds one that waits; returns true if it is the first, for which somebody has to come.
  func add(_ arrival: FollowerArrival) -> Bool {
    waiting.withLock { $0.append(arrival) }
    return !hasAny.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Adds all of them to their sessions.
  func arrive(at manager: inout TreeManager, of tree: LockedTree) {
    for arrival in takeAll() { arrival.arrive(at: &manager, of: tree) }
  }

  /// Ends all of them, as the tree cannot be read.
  func fail(_ error: ServiceError) {
    for arrival in takeAll() { arrival.fail(error) }
  }

  private func takeAll() -> [FollowerArrival] {
    // Before they are taken: one that is added meanwhile counts as the first.
    hasAny.store(false, ordering: .releasing)
    return waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}

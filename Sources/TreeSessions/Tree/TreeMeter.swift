import Synchronization
import TreeDomain

/// Counts how long calls wait for trees that others work at, and what followers miss.
///
/// Only calls that wait take its lock, for an addition.
final class TreeMeter: Sendable {
  private let durations = Mutex(DurationCounts())
  private let resetCount = Atomic(0)

  /// The waits so far.
  var waits: DurationCounts { durations.withLock { $0 } }

  /// The number of followers so far that were told to read everything anew.
  var resets: Int { resetCount.load(ordering: .relaxed) }

  /// Counts a wait that began at a moment and is over now.
  func addWait(since begin: ContinuousClock.Instant) {
    let duration = ContinuousClock.now - begin
    durations.withLock { $0.add(duration) }
  }

  /// Counts a follower that is told to read everything anew.
  func addReset() { resetCount.add(1, ordering: .relaxed) }
}

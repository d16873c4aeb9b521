import Synchronization
import TreeDomain

/// Measures how long calls wait for busy trees, and counts what followers miss.
///
/// Only calls that wait take its lock, briefly.
final class TreeMeter: Sendable {
  private let durations = Mutex(DurationCounts())
  private let resetCount = Atomic(0)
  private let rebaseCount = Atomic(0)

  /// The durations of all waits so far.
  var waits: DurationCounts { durations.withLock { $0 } }

  /// The number of times that a follower had to read everything again.
  var resets: Int { resetCount.load(ordering: .relaxed) }

  /// The number of long changes that were made after others without starting over.
  var rebases: Int { rebaseCount.load(ordering: .relaxed) }

  /// Records a wait that began at a time and ends now.
  func addWait(since begin: ContinuousClock.Instant) {
    let duration = ContinuousClock.now - begin
    durations.withLock { $0.add(duration) }
  }

  /// Counts a follower that has to read everything again.
  func addReset() { resetCount.add(1, ordering: .relaxed) }

  /// Counts a long change that was made after others without starting over.
  func addRebase() { rebaseCount.add(1, ordering: .relaxed) }
}

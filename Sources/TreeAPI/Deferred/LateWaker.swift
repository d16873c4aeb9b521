import HTTP
import Synchronization

/// A waker for a deferred answer that may not have started yet.
///
/// Waking before the start does nothing, because an answer is asked when it starts.
final class LateWaker: Sendable {
  private let waker = Mutex<Waker?>(nil)

  /// Sets the waker of the answer.
  func attach(_ waker: Waker) { self.waker.withLock { $0 = waker } }

  /// Wakes the answer.
  func wake() { waker.withLock { $0 }?.wake() }
}

import HTTP
import Synchronization

/// Wakes an answer that may not have begun to wait when it is rung for the first time.
///
/// What rings before is not lost: an answer is asked when it begins.
final class Bell: Sendable {
  private let waker = Mutex<Waker?>(nil)

  /// Has the answer woken from now on.
  func hang(on waker: Waker) { self.waker.withLock { $0 = waker } }

  /// Wakes the answer.
  func ring() { waker.withLock { $0 }?.wake() }
}

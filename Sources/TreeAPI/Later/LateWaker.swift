import HTTP
import Synchronization

/// Wakes an answer that may not have begun to wait when it is woken for the first time.
///
/// A wake before that is not lost: an answer is asked when it begins.
final class LateWaker: Sendable {
  private let waker = Mutex<Waker?>(nil)

  /// Has the answer woken from now on.
  func attach(_ waker: Waker) { self.waker.withLock { $0 = waker } }

  /// Wakes the answer.
  func wake() { waker.withLock { $0 }?.wake() }
}

import Synchronization
import TreeDomain

/// The receipt of one commit.
///
/// It allocates no memory for the first function that waits. There is rarely a second one.
final class CommitReceipt: Receipt {
  private typealias Waiting = @Sendable () -> Void

  private struct State {
    var outcome: ReceiptOutcome?
    var first: Waiting?
    var others: [Waiting] = []
  }

  /// The lock is held briefly, and no function is called under it.
  private let state = Mutex(State())
  /// True if there is an outcome.
  ///
  /// It can be read without the lock.
  private let resolved = Atomic(false)

  var isResolved: Bool { resolved.load(ordering: .acquiring) }

  var outcome: ReceiptOutcome? { state.withLock { $0.outcome } }

  func whenResolved(_ body: @escaping @Sendable () -> Void) {
    let isResolved = state.withLock { state in
      guard state.outcome == nil else { return true }
      if state.first == nil { state.first = body } else { state.others.append(body) }
      return false
    }
    if isResolved { body() }
  }

  /// Sets the outcome, and calls the functions that wait for it.
  ///
  /// - Precondition: There is no outcome yet.
  func resolve(_ outcome: ReceiptOutcome) {
    let (first, others) = state.withLock { state in
      state.outcome = outcome
      resolved.store(true, ordering: .releasing)
      defer { (state.first, state.others) = (nil, []) }
      return (state.first, state.others)
    }
    first?()
    for body in others { body() }
  }
}

import Synchronization
import TreeDomain

/// The receipt of one commit.
///
/// Small, and it asks for no memory while one waits for it, as most often one does: see
/// ``WaitingWorks``.
final class CommitReceipt: Receipt {
  private typealias Waiting = @Sendable () -> Void

  private struct State {
    var outcome: ReceiptOutcome?
    var first: Waiting?
    var others: [Waiting] = []
  }

  /// The lock is held for a look or an addition; nothing is called under it.
  private let state = Mutex(State())
  /// Whether the outcome is there, to be asked without the lock.
  private let settled = Atomic(false)

  var isSettled: Bool { settled.load(ordering: .acquiring) }

  var outcome: ReceiptOutcome? { state.withLock { $0.outcome } }

  func whenSettled(_ body: @escaping @Sendable () -> Void) {
    let isSettled = state.withLock { state in
      guard state.outcome == nil else { return true }
      if state.first == nil { state.first = body } else { state.others.append(body) }
      return false
    }
    if isSettled { body() }
  }

  /// The outcome is known: whoever waits is told.
  func settle(_ outcome: ReceiptOutcome) {
    let (first, others) = state.withLock { state in
      state.outcome = outcome
      settled.store(true, ordering: .releasing)
      defer { (state.first, state.others) = (nil, []) }
      return (state.first, state.others)
    }
    first?()
    for body in others { body() }
  }
}

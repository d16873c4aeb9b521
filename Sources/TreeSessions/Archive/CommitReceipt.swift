import Synchronization
import TreeDomain

/// The receipt of one commit.
final class CommitReceipt: Receipt {
  private struct State {
    var outcome: ReceiptOutcome?
    var waiting: [@Sendable () -> Void] = []
  }

  /// The lock is held for a look or an addition; nothing is called under it.
  private let state = Mutex(State())
  /// Whether the outcome is there, to be asked without the lock.
  private let settled = Atomic(false)

  var isSettled: Bool { settled.load(ordering: .acquiring) }

  var outcome: ReceiptOutcome? { state.withLock { $0.outcome } }

  func whenSettled(_ body: @escaping @Sendable () -> Void) {
    let isSettled = state.withLock { state in
      if state.outcome == nil { state.waiting.append(body) }
      return state.outcome != nil
    }
    if isSettled { body() }
  }

  /// The outcome is known: whoever waits is told.
  func settle(_ outcome: ReceiptOutcome) {
    let waiting = state.withLock { state in
      state.outcome = outcome
      settled.store(true, ordering: .releasing)
      defer { state.waiting = [] }
      return state.waiting
    }
    for body in waiting { body() }
  }
}

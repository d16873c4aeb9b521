import TestSupport
import TreeDomain

@testable import TreeSessions

/// The error of a call that was tried on an event loop.
struct TriedCall {
  let error: ServiceError
  /// The executor on which the call continues; `nil` if it failed for another reason.
  let next: (any WorkExecutor)?
}

extension SessionStore {
  /// The store as an event loop uses it, with a clock that stands still.
  ///
  /// A busy machine would refuse small work, because it takes too long.
  var nonblocking: any TreeService { answering(Attempt(clock: { 0 })) }

  /// Tries a call as an event loop does.
  ///
  /// Returns the error; `nil` if there was none.
  func trial(
    clock: @escaping @Sendable () -> Int = Attempt.clock,
    _ call: (any TreeService) throws(ServiceError) -> Void
  ) -> TriedCall? {
    let attempt = Attempt(clock: clock)
    do throws(ServiceError) {
      try call(answering(attempt))
      return nil
    } catch {
      return TriedCall(error: error, next: attempt.next)
    }
  }
}

extension Desk {
  /// Puts a piece of work on the desk.
  func schedule(_ item: WorkItem) { assign { item.run(UnscheduledSlot()) } }
}

import HTTP
import Synchronization
import TreeDomain

/// A deferred answer that waits for a change of a session, up to a deadline.
final class LongPoll: LateAnswer {
  private struct State {
    var following: (any Following)?
    /// True if the answer must not wait longer.
    var isDraining = false
    /// The time at which it answers even without a change, in milliseconds.
    var deadline: Int?
  }

  private let waker = LateWaker()
  /// The answer if nothing changes.
  private let nothing: BatchAnswer
  private let seconds: Int
  private let call: Call
  private let access: HeldAccess?
  private let state: Mutex<State>

  /// Creates an answer for a client that has the revision `query.since`.
  ///
  /// - Throws: The reason why the session cannot be followed.
  init(
    of session: SessionID,
    _ query: ChangesQuery,
    nothingYet: BatchAnswer,
    seconds: Int,
    _ call: Call
  ) throws(ServiceError) {
    nothing = nothingYet
    self.seconds = seconds
    self.call = call
    access = HeldAccess(of: call.request, call.context.access)
    let waker = waker
    let following = try call.service.follow(session, since: query.since, query.options) {
      waker.wake()
    }
    state = Mutex(State(following: following))
  }

  func start(_ waker: Waker) { self.waker.attach(waker) }

  func next(now: Moment) -> LateStep {
    if access?.isWithdrawn == true { return finish(Problem.unknownToken.response) }
    if let answer = news() { return finish(answer) }
    let (deadline, isDraining) = state.withLock { state in
      let deadline = state.deadline ?? now.milliseconds + seconds * 1_000
      state.deadline = deadline
      return (deadline, state.isDraining)
    }
    guard isDraining || now.milliseconds >= deadline else {
      let wait = deadline - now.milliseconds
      return .wait(
        milliseconds: access == nil ? wait : min(wait, HeldAccess.intervalMilliseconds)
      )
    }
    return finish(call.answer(nothing))
  }

  func cancel() {
    let following = state.withLock { state in
      defer { state.following = nil }
      return state.following
    }
    following?.cancel()
  }

  func drain() { state.withLock { $0.isDraining = true } }

  /// Returns the response for the next event of the session, or nil if there is none yet.
  private func news() -> Response? {
    switch state.withLock({ $0.following })?.next() {
    case .changes(let answer): call.answer(answer)
    case .reset(_, let revision, let rowCount):
      ServiceError.historyExpired(at: revision, rowCount: rowCount).response
    case .ended(let reason):
      // Without its tree there is no session, as other requests report it.
      (reason.code == .treeNotFound ? .sessionNotFound : reason).response
    case .interrupted: Problem.overloaded(retryAfter: 1).response
    case nil: nil
    }
  }

  private func finish(_ answer: Response) -> LateStep {
    cancel()
    return .answer(answer)
  }
}

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

import HTTP
import Synchronization
import TreeDomain

/// An answer that waits until a session changes, but only for so long.
final class LongPoll: LateAnswer {
  private struct State {
    var following: (any Following)?
    /// Whether to answer without waiting any longer.
    var isDraining = false
    /// When to answer in any case, in milliseconds.
    var deadline: Int?
  }

  private let waker = LateWaker()
  /// The answer if nothing happens.
  private let nothing: BatchAnswer
  private let seconds: Int
  private let call: Call
  private let state: Mutex<State>

  /// An answer for one who has everything up to the revision of a query.
  ///
  /// - Throws: Why the session cannot be followed.
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
    let waker = waker
    let following = try call.service.follow(session, since: query.since, query.options) {
      waker.wake()
    }
    state = Mutex(State(following: following))
  }

  func start(_ waker: Waker) { self.waker.attach(waker) }

  func next(now: Moment) -> LateStep {
    if let answer = news() { return finish(answer) }
    let (deadline, isDraining) = state.withLock { state in
      let deadline = state.deadline ?? now.milliseconds + seconds * 1_000
      state.deadline = deadline
      return (deadline, state.isDraining)
    }
    guard isDraining || now.milliseconds >= deadline else {
      return .wait(milliseconds: deadline - now.milliseconds)
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

  /// The answer to what has happened, if anything has.
  private func news() -> Response? {
    switch state.withLock({ $0.following })?.next() {
    case .changes(let answer): call.answer(answer)
    case .reset(_, let revision, let rowCount):
      ServiceError.historyExpired(at: revision, rowCount: rowCount).response
    case .ended(let reason):
      // Without its tree there is no session either, as any other request is told.
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

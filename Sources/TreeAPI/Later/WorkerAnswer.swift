import HTTP
import Synchronization
import TreeDomain

/// An answer that is worked at elsewhere while its client waits.
///
/// The work goes on when the client is gone: what it asked for is done, but for reading that has
/// not begun. It is given up for want of time only as long as it has not begun, so that nothing is
/// done of which the client was told that it is not. What comes of it can be an answer that takes
/// time in turn, which then goes on in place of this one.
final class WorkerAnswer: LateAnswer {
  private struct State {
    var reply: Reply?
    var waker: Waker?
    var isCancelled = false
    /// The work has begun; it may be done already.
    var hasBegun = false
    /// It was not begun in time, and will not be done: its client was told so.
    var isWithdrawn = false
    var isDraining = false
    var hasClientFinished = false
    /// The answer that goes on in place of this one.
    var successor: (any LateAnswer)?
  }

  private let isRead: Bool
  private let state = Mutex(State())

  private init(isRead: Bool) { self.isRead = isRead }

  /// Has work done, and replies with what comes of it.
  ///
  /// - Parameters:
  ///   - run: Has it done elsewhere; if it is done already when this returns, so is the reply.
  ///   - isRead: Whether it changes nothing, so that it is of no use where nobody waits for it.
  ///   - work: Comes by the reply.
  /// - Returns: The reply; a problem if there is no room for more work.
  static func reply(
    _ run: TreeAPI.Runner,
    isRead: Bool = false,
    _ work: @escaping @Sendable () throws(ServiceError) -> Reply
  ) -> Reply {
    let answer = WorkerAnswer(isRead: isRead)
    let isTaken = run {
      guard answer.begin() else { return }
      do throws(ServiceError) {
        answer.finish(with: try work())
      } catch {
        answer.finish(with: HeldAnswer.reply(error.response, error.durability))
      }
    }
    guard isTaken else { return .response(Problem.overloaded(retryAfter: 1).response) }
    return answer.state.withLock { $0.reply } ?? .later(answer)
  }

  func start(_ waker: Waker) {
    state.withLock { $0.waker = waker }
  }

  func next(now: Moment) -> LateStep {
    switch state.withLock({ $0.reply }) {
    case nil: .wait(milliseconds: nil)
    case .response(let response): .answer(response)
    case .later(let answer): successor(answer).next(now: now)
    }
  }

  func cancel() {
    let answer = state.withLock { state in
      state.waker = nil
      state.isCancelled = true
      return state.reply
    }
    if case .later(let answer) = answer { answer.cancel() }
  }

  func withdraw() -> Bool {
    let (successor, isWithdrawn) = state.withLock { state in
      if isRead || !state.hasBegun { state.isWithdrawn = true }
      return (state.successor, state.isWithdrawn)
    }
    return successor?.withdraw() ?? isWithdrawn
  }

  func drain() {
    let successor = state.withLock { state in
      state.isDraining = true
      return state.successor
    }
    successor?.drain()
  }

  func clientFinished() {
    let successor = state.withLock { state in
      state.hasClientFinished = true
      return state.successor
    }
    successor?.clientFinished()
  }

  /// Begins the work; returns whether anybody wants it.
  private func begin() -> Bool {
    state.withLock { state in
      if state.isWithdrawn || isRead && state.isCancelled { return false }
      state.hasBegun = true
      return true
    }
  }

  /// The answer that goes on, told all that this one was told.
  private func successor(_ answer: any LateAnswer) -> any LateAnswer {
    let before = state.withLock { state in
      defer { state.successor = answer }
      return state
    }
    guard before.successor == nil, let waker = before.waker else { return answer }
    answer.start(waker)
    if before.hasClientFinished { answer.clientFinished() }
    if before.isDraining { answer.drain() }
    return answer
  }

  private func finish(with reply: Reply) {
    let (waker, isCancelled) = state.withLock { state in
      state.reply = reply
      return (state.waker, state.isCancelled)
    }
    waker?.wake()
    // It has not begun: nobody wants it any more.
    if isCancelled, case .later(let answer) = reply { answer.cancel() }
  }
}

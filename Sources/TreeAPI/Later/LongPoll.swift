import HTTP
import Synchronization
import TreeDomain

/// An answer that waits until a session changes, but only for so long.
final class LongPoll: LateAnswer {
  private struct State {
    var following: (any Following)?
    /// What is to be answered without waiting.
    var answer: Response?
    /// When to answer in any case, in milliseconds.
    var deadline: Int?
  }

  private let session: SessionID
  private let query: ChangesQuery
  private let seconds: Int
  private let call: Call
  private let state = Mutex(State())

  /// An answer for one who has everything up to the revision of a query.
  init(of session: SessionID, _ query: ChangesQuery, seconds: Int, _ call: Call) {
    self.session = session
    self.query = query
    self.seconds = seconds
    self.call = call
  }

  func start(_ waker: Waker) {
    do throws(ServiceError) {
      let following = try call.service.follow(session, since: query.since, query.options) {
        waker.wake()
      }
      state.withLock { $0.following = following }
    } catch {
      state.withLock { $0.answer = error.response }
    }
  }

  func next(now: Moment) -> LateStep {
    if let answer = state.withLock({ $0.answer }) ?? news() { return finish(answer) }
    let deadline = state.withLock { state in
      let deadline = state.deadline ?? now.milliseconds + seconds * 1_000
      state.deadline = deadline
      return deadline
    }
    guard now.milliseconds >= deadline else {
      return .wait(milliseconds: deadline - now.milliseconds)
    }
    return finish(changes())
  }

  func cancel() {
    let following = state.withLock { state in
      defer { state.following = nil }
      return state.following
    }
    following?.cancel()
  }

  func drain() {
    let answer = changes()
    state.withLock { $0.answer = answer }
  }

  /// The answer to what has happened, if anything has.
  private func news() -> Response? {
    switch state.withLock({ $0.following })?.next() {
    case .changes(let answer): call.answer(answer)
    // Why there is nothing to follow, the question itself is answered with.
    case .reset, .ended: changes()
    case nil: nil
    }
  }

  private func changes() -> Response {
    do throws(ServiceError) {
      return call.answer(try call.service.changes(of: session, query))
    } catch {
      return error.response
    }
  }

  private func finish(_ answer: Response) -> LateStep {
    cancel()
    return .answer(answer)
  }
}

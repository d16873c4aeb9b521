import HTTP
import Synchronization
import TreeDomain

/// An answer that is worked at elsewhere while its client waits.
///
/// The work goes on when the client is gone: what it asked for is done.
final class Errand: LateAnswer {
  private struct State {
    var response: Response?
    var waker: Waker?
  }

  private let state = Mutex(State())

  /// Has work done, and replies with what comes of it.
  ///
  /// - Parameters:
  ///   - run: Has it done elsewhere; if it is done already when this returns, so is the reply.
  ///   - work: Comes by the response.
  /// - Returns: The reply; a problem if there is no room for more work.
  static func reply(
    _ run: TreeAPI.Runner,
    _ work: @escaping @Sendable () -> Response
  ) -> Reply {
    let errand = Errand()
    guard run({ errand.finish(with: work()) }) else {
      return .response(Problem.overloaded(retryAfter: 1).response)
    }
    if let response = errand.state.withLock({ $0.response }) { return .response(response) }
    return .later(errand)
  }

  func start(_ waker: Waker) {
    state.withLock { $0.waker = waker }
  }

  func next(now: Moment) -> LateStep {
    state.withLock { $0.response.map { .answer($0) } ?? .wait(milliseconds: nil) }
  }

  func cancel() {
    state.withLock { $0.waker = nil }
  }

  private func finish(with response: Response) {
    let waker = state.withLock { state in
      state.response = response
      return state.waker
    }
    waker?.wake()
  }
}

extension Call {
  /// Replies with an answer that is worked at elsewhere.
  func answerElsewhere(
    _ answer: @escaping @Sendable () throws(ServiceError) -> Response
  ) -> Reply {
    Errand.reply(context.run) {
      do throws(ServiceError) {
        return try answer()
      } catch {
        return error.response
      }
    }
  }
}

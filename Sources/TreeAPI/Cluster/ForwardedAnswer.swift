import HTTP
import Synchronization

/// The answer of another instance, passed on as it comes.
///
/// The answer takes no more from the exchange than its client has received, so a slow client slows
/// the other instance down. A client that leaves ends the exchange.
final class ForwardedAnswer: LateAnswer {
  private struct State {
    var exchange: any ForwardedExchange
    var flow = ForwardedFlow()
    var waker: Waker?
    var hasClientFinished = false
    /// The time at which the subject was found to have moved, in milliseconds; nil if it has not.
    var movedAt: Int?
    /// The answer that replaces this one, because the request was sent again.
    var successor: (any LateAnswer)?
  }

  /// The interval between two checks of the subject's place, in milliseconds.
  private static let lookMilliseconds = 1_000
  /// The time for which an instance may still answer after it lost the subject, in milliseconds.
  static let patienceMilliseconds = 5_000

  private let hop: Hop
  private let state: Mutex<State>

  /// Creates the answer of an exchange.
  init(_ hop: Hop, _ exchange: any ForwardedExchange) {
    self.hop = hop
    state = Mutex(State(exchange: exchange))
  }

  func start(_ waker: Waker) {
    state.withLock { state in
      state.waker = waker
      state.exchange.attach(waker)
    }
  }

  func next(now: Moment) -> LateStep {
    state.withLock { state in
      if let successor = state.successor { return successor.next(now: now) }
      state.flow.accept(state.exchange.news())
      if state.flow.hasBegun { return goOn(&state) }
      if let step = state.flow.begin() { return step }
      if let ending = state.flow.ending { return fail(&state, ending, now) }
      return look(&state, now)
    }
  }

  func cancel() {
    state.withLock { state in
      state.exchange.cancel()
      state.successor?.cancel()
    }
  }

  func withdraw() -> Bool {
    state.withLock { $0.successor?.withdraw() ?? hop.isRead }
  }

  func drain() {
    state.withLock { state in
      state.flow.isDraining = true
      state.successor?.drain()
      guard state.successor == nil, !state.flow.hasBegun, let target = hop.targetWithoutWait else {
        return
      }
      // The other instance does not stop, and would continue to wait for changes.
      state.exchange.cancel()
      state.exchange = hop.send(.whole([]), target: target)
      if let waker = state.waker { state.exchange.attach(waker) }
    }
  }

  func clientFinished() {
    state.withLock { state in
      state.hasClientFinished = true
      state.exchange.clientFinished()
      state.successor?.clientFinished()
    }
  }

  /// Continues a stream.
  private func goOn(_ state: inout State) -> LateStep {
    let step = state.flow.next()
    if state.flow.isCutOff { state.exchange.cancel() }
    return step
  }

  /// Sends the request again or reports that there is no answer.
  private func fail(
    _ state: inout State,
    _ ending: ForwardedNews.Ending,
    _ now: Moment
  ) -> LateStep {
    switch hop.again(isUndone: ending == .undone) {
    case .response(let response)?: return .answer(response)
    case .later(let answer)?: return follow(answer, &state, now)
    case nil: return .answer(refusal(ending).response)
    }
  }

  private func refusal(_ ending: ForwardedNews.Ending) -> Problem {
    ending == .undone || hop.isRead ? .unreachableInstance : .lostInstance
  }

  private func follow(
    _ answer: any LateAnswer,
    _ state: inout State,
    _ now: Moment
  ) -> LateStep {
    state.successor = answer
    if let waker = state.waker { answer.start(waker) }
    if state.hasClientFinished { answer.clientFinished() }
    if state.flow.isDraining { answer.drain() }
    return answer.next(now: now)
  }

  /// Waits for the answer.
  ///
  /// Gives up if the other instance lost the subject some time ago.
  private func look(_ state: inout State, _ now: Moment) -> LateStep {
    guard hop.isMoved else {
      state.movedAt = nil
      return .wait(milliseconds: Self.lookMilliseconds)
    }
    let movedAt = state.movedAt ?? now.milliseconds
    state.movedAt = movedAt
    guard now.milliseconds - movedAt >= Self.patienceMilliseconds else {
      return .wait(milliseconds: Self.lookMilliseconds)
    }
    state.exchange.cancel()
    return fail(&state, .unknown, now)
  }
}

// Functions for ``HopReceiver``, which passes content on as it arrives.
extension ForwardedAnswer {
  /// Returns the demand for content.
  ///
  /// - Parameters:
  ///   - maxUnsentBytes: The bytes of content that may wait to be sent.
  ///   - waits: True if the client waits for `100 Continue`.
  /// - Returns: The demand. An answer that comes before the end of the content is a refusal.
  func demand(maxUnsentBytes: Int, waits: Bool) -> BodyDemand {
    state.withLock { state in
      state.flow.accept(state.exchange.news())
      if let ending = state.flow.ending {
        return .refuse(state.flow.response ?? refusal(ending).response)
      }
      if state.flow.hasHead || waits && !state.flow.mayProceed { return .pause }
      return state.exchange.unsentBytes > maxUnsentBytes ? .pause : .more
    }
  }
}

import HTTP
import Synchronization
import TreeDomain

/// An answer that is worked at on worker threads while its client waits.
///
/// When the client is gone, the work stops at its next check, unless what it changes is on its way
/// to the disk already. The server gives a change up for want of time only as long as it has not
/// begun, so that nothing is done of which the client was told that it is not. What comes of it can
/// be an answer that takes time in turn, which then goes on in place of this one.
final class WorkerAnswer: LateAnswer {
  private struct State {
    var reply: Reply?
    var waker: Waker?
    var isCancelled = false
    /// The work; `nil` before it is queued.
    var job: Job?
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

  /// The work of a request, given the attempt that it is.
  typealias Work = @Sendable (Attempt) throws(ServiceError) -> Reply

  /// Makes the work of a request of its body.
  typealias JobMaker = (@escaping @Sendable (Attempt) -> Void) -> Job

  /// Has work done on an executor, and replies with what comes of it.
  ///
  /// - Parameters:
  ///   - executor: The executor. Where that refuses the work, it goes on on the next one.
  ///   - makeJob: Makes the job.
  ///   - isRead: True if it changes nothing, so that it can be given up at any time.
  ///   - work: Comes by the reply.
  /// - Returns: The reply; a problem if there is no room for more work.
  static func reply(
    on executor: any WorkExecutor,
    _ makeJob: JobMaker,
    isRead: Bool = false,
    _ work: @escaping Work
  ) -> Reply {
    let answer = WorkerAnswer(isRead: isRead)
    let job = makeJob { attempt in answer.run(attempt, work) }
    answer.state.withLock { $0.job = job }
    guard executor.submit(job) else { return .response(noRoom) }
    return answer.state.withLock { $0.reply } ?? .later(answer)
  }

  private static var noRoom: Response { Problem.overloaded(retryAfter: 1).response }

  /// Does the work, or has it go on on another executor.
  private func run(_ attempt: Attempt, _ work: Work) {
    guard begin() else { return forgetJob() }
    do throws(ServiceError) {
      finish(with: try work(attempt))
    } catch {
      guard let next = attempt.next, let job = attempt.job else {
        return finish(with: HeldAnswer.reply(error.response, error.durability))
      }
      if !next.submit(job) { finish(with: .response(Self.noRoom)) }
    }
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
      state.job?.cancel()
      return state.reply
    }
    if case .later(let answer) = answer { answer.cancel() }
  }

  func withdraw() -> Bool {
    let (successor, isWithdrawn) = state.withLock { state in
      if isRead || !state.hasBegun { state.isWithdrawn = true }
      if state.isWithdrawn { state.job?.cancel() }
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
      if state.isWithdrawn || state.isCancelled { return false }
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

  /// Lets go of the work, which refers to this answer.
  private func forgetJob() { state.withLock { $0.job = nil } }

  private func finish(with reply: Reply) {
    let (waker, isCancelled) = state.withLock { state in
      state.reply = reply
      state.job = nil
      return (state.waker, state.isCancelled)
    }
    waker?.wake()
    // It has not begun: nobody wants it any more.
    if isCancelled, case .later(let answer) = reply { answer.cancel() }
  }
}

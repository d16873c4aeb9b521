import HTTP
import Synchronization
import TreeDomain

/// A deferred answer whose work runs on worker threads while its client waits.
///
/// If the client disconnects, the work stops at its next check, unless its change is already being
/// written to disk. The server gives up a change only before it has begun, so that no change is
/// reported as not done and then done. The result may be another deferred answer, which then
/// replaces this one.
final class WorkerAnswer: LateAnswer {
  private struct State {
    var reply: Reply?
    var waker: Waker?
    var isCancelled = false
    /// The work; `nil` before it is queued and after it is done.
    var job: Job?
    /// True once the work has begun, also after it is done.
    ///
    /// False while it moves to another executor.
    var hasBegun = false
    /// True if the client was told that nothing was changed.
    ///
    /// Work that has not begun by then never begins.
    var isWithdrawn = false
    var isDraining = false
    var hasClientFinished = false
    /// The deferred answer that replaces this one.
    var successor: (any LateAnswer)?
  }

  private let isRead: Bool
  private let state = Mutex(State())

  private init(isRead: Bool) { self.isRead = isRead }

  /// The work of a request.
  ///
  /// Its argument is the attempt in which it runs.
  typealias Work = @Sendable (Attempt) throws(ServiceError) -> Reply

  /// Creates a job from its body, with the request's caller and limits.
  typealias JobMaker = (@escaping @Sendable (Attempt) -> Void) -> Job

  /// Runs work on an executor and replies with its result.
  ///
  /// - Parameters:
  ///   - executor: The first executor. If the work must move, it continues on the next one.
  ///   - makeJob: Creates the job.
  ///   - isRead: True if the work changes nothing, so that it can be given up at any time.
  ///   - work: Returns the reply.
  /// - Returns: The reply, or a problem if the executor accepts no more work.
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

  /// Runs the work, or moves it to another executor.
  private func run(_ attempt: Attempt, _ work: Work) {
    guard begin() else { return forgetJob() }
    do throws(ServiceError) {
      finish(with: try work(attempt))
    } catch {
      guard let next = attempt.next, let job = attempt.job else {
        return finish(with: HeldAnswer.reply(error.response, error.durability))
      }
      // Refused work has changed nothing.
      state.withLock { $0.hasBegun = false }
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

  /// Marks the work as begun; returns false if nobody waits for it any more.
  private func begin() -> Bool {
    state.withLock { state in
      if state.isWithdrawn || state.isCancelled { return false }
      state.hasBegun = true
      return true
    }
  }

  /// Returns the replacing answer after passing on all events that this one has received.
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

  /// Releases the work, which refers to this answer.
  private func forgetJob() { state.withLock { $0.job = nil } }

  private func finish(with reply: Reply) {
    let (waker, isCancelled) = state.withLock { state in
      state.reply = reply
      state.job = nil
      return (state.waker, state.isCancelled)
    }
    waker?.wake()
    // The client is gone and the replacing answer was never started.
    if isCancelled, case .later(let answer) = reply { answer.cancel() }
  }
}

/// The executor for decoding large bodies, before their tree is known.
final class BodyExecutor: WorkExecutor {
  /// Queues work for the worker threads; returns false if the queue is full.
  let run: TreeAPI.Runner

  init(_ run: @escaping TreeAPI.Runner) { self.run = run }

  func submit(_ job: Job) -> Bool {
    run(WorkItem(caller: job.caller) { [self] slot in job.run(on: slot, of: self) })
  }
}

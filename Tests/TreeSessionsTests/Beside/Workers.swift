import Dispatch
import Synchronization
import TestSupport
import TreeDomain

@testable import TreeSessions

/// Worker threads for a store, which run the exclusive work of each tree one piece at a time.
final class Workers: Sendable {
  private let queues = Mutex<[Int: DispatchQueue]>([:])
  private let others = DispatchQueue(label: "shared", attributes: .concurrent)
  /// The slot in which all work runs.
  private let slot: any WorkSlot

  init(_ slot: any WorkSlot = UnscheduledSlot()) { self.slot = slot }

  func schedule(_ item: WorkItem) {
    let serial = item.isExclusive ? item.tree.map(queue) : nil
    (serial ?? others).async { [slot] in item.run(slot) }
  }

  private func queue(of tree: Int) -> DispatchQueue {
    queues.withLock { queues in
      if let queue = queues[tree] { return queue }
      let queue = DispatchQueue(label: "tree \(tree)")
      queues[tree] = queue
      return queue
    }
  }
}

/// A slot that holds work at a check on request.
final class HeldSlot: WorkSlot {
  private let condition = Mutex<(@Sendable () -> Bool)?>(nil)
  private let reached = DispatchSemaphore(value: 0)
  private let mayGoOn = DispatchSemaphore(value: 0)

  var isStopping: Bool { false }

  /// Holds work once, at the next check when a condition is true.
  func hold(when condition: @escaping @Sendable () -> Bool = { true }) {
    self.condition.withLock { $0 = condition }
  }

  /// Waits until work is held.
  func waitUntilHeld() { reached.wait() }

  /// Waits until work is held, or until there is nothing to hold any more.
  ///
  /// - Returns: False if no work is held.
  func waitUntilHeld(orUntil isOver: () -> Bool) -> Bool {
    while reached.wait(timeout: .now() + .milliseconds(2)) == .timedOut {
      guard isOver() else { continue }
      condition.withLock { $0 = nil }
      return reached.wait(timeout: .now()) == .success
    }
    return true
  }

  /// Lets the held work continue.
  func goOn() { mayGoOn.signal() }

  func pause() -> Int {
    let isHeld = condition.withLock { condition in
      guard condition?() == true else { return false }
      condition = nil
      return true
    }
    if isHeld {
      reached.signal()
      mayGoOn.wait()
    }
    return 0
  }
}

/// A call that runs like a request: at once if possible, otherwise on a worker.
final class AskedCall<Answer: Sendable>: Sendable {
  typealias Call = @Sendable (any TreeService) throws(ServiceError) -> Answer

  private let outcome = Mutex<Result<Answer, ServiceError>?>(nil)
  private let isOver = DispatchSemaphore(value: 0)
  private let job = Mutex<Job?>(nil)

  /// Makes the call.
  ///
  /// Returns before it is answered if it needs a worker.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - clock: The clock of the attempt on an event loop.
  ///   - call: The call.
  init(
    _ store: SessionStore,
    clock: @escaping @Sendable () -> Int = Attempt.clock,
    _ call: @escaping Call
  ) {
    let attempt = Attempt(clock: clock)
    do throws(ServiceError) {
      finish(.success(try call(store.answering(attempt))))
    } catch {
      guard let next = attempt.next else {
        finish(.failure(error))
        return
      }
      let made = Job(isLong: attempt.isOutOfTime) { [self] attempt in run(attempt, store, call) }
      job.withLock { $0 = made }
      if !next.submit(made) { finish(.failure(error)) }
    }
  }

  private func run(_ attempt: Attempt, _ store: SessionStore, _ call: @escaping Call) {
    do throws(ServiceError) {
      finish(.success(try call(store.answering(attempt))))
    } catch {
      if let next = attempt.next, let job = attempt.job, next.submit(job) { return }
      finish(.failure(error))
    }
  }

  private func finish(_ result: Result<Answer, ServiceError>) {
    outcome.withLock { $0 = result }
    isOver.signal()
  }

  /// True if the call is answered.
  var isAnswered: Bool { outcome.withLock { $0 != nil } }

  /// Stops the work, as if the client were gone.
  func cancel() { job.withLock { $0?.cancel() } }

  /// Waits for the result.
  func result() -> Result<Answer, ServiceError> {
    isOver.wait()
    isOver.signal()
    return outcome.withLock { $0 } ?? .failure(.sessionNotFound)
  }

  /// Waits for the answer.
  func get() throws(ServiceError) -> Answer { try result().get() }
}

import Synchronization

/// An attempt at the work of a request on a thread where it must neither wait nor take long.
///
/// If it would have to, it is refused and nothing has changed. The attempt then names the executor
/// on which the work must be done again. A further attempt on that executor may wait and take its
/// time.
package final class Attempt: WorkControl {
  private struct State {
    /// The time at which the work must stop, in nanoseconds; `nil` before the first check.
    var end: Int?
    var isRefused = false
    var isOutOfTime = false
    var next: (any WorkExecutor)?
    var shown: [Durability] = []
  }

  /// The time that the work may take after its first check on an event loop, in nanoseconds.
  package static let maxNanoseconds = 900_000
  /// The time that the work may take after its first check on a worker, in nanoseconds.
  ///
  /// It is longer, because workers have a low priority and may lose the processor.
  private static let maxWorkerNanoseconds = 20_000_000

  private let executor: (any WorkExecutor)?
  /// The job of the attempt; `nil` on an event loop.
  package let job: Job?
  /// The name of the caller whose share of memory the work uses; `nil` if there are no shares.
  package let payer: String?
  private let clock: @Sendable () -> Int
  private let state = Mutex(State())

  /// Makes an attempt on an event loop.
  ///
  /// - Parameters:
  ///   - payer: The name of the caller whose share of memory the work uses.
  ///   - clock: Returns a monotonic time in nanoseconds.
  package init(payer: String? = nil, clock: @escaping @Sendable () -> Int = Attempt.clock) {
    executor = nil
    job = nil
    self.payer = payer
    self.clock = clock
  }

  /// Makes an attempt on a worker thread.
  ///
  /// - Parameters:
  ///   - executor: The executor, on which the attempt may wait and take its time.
  ///   - job: The work.
  package init(at executor: any WorkExecutor, _ job: Job) {
    self.executor = executor
    self.job = job
    payer = job.payer
    clock = Attempt.clock
  }

  /// Returns the time of a monotonic clock, in nanoseconds.
  package static let clock: @Sendable () -> Int = {
    let (seconds, attoseconds) = start.duration(to: .now).components
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }

  private static let start = ContinuousClock.now

  /// True on a thread that may wait for a disk.
  package var mayWait: Bool { executor != nil }

  /// Returns true if the work runs on an executor and may take its time there.
  package func runs(on executor: any WorkExecutor) -> Bool { self.executor === executor }

  /// True if the work was refused because it takes too long.
  package var isRefused: Bool { state.withLock { $0.isRefused } }

  /// True if the work was stopped because its time was over; see ``check()``.
  package var isOutOfTime: Bool { state.withLock { $0.isOutOfTime } }

  /// The executor on which the work must continue; `nil` if it was not refused.
  package var next: (any WorkExecutor)? { state.withLock { $0.next } }

  /// The changes that the work has read and that are not committed, so that its answer waits.
  package var shown: [Durability] { state.withLock { $0.shown } }

  /// Makes the answer wait for a change that the work has read.
  ///
  /// - Parameter durability: The durability of the change, whose outcome may be known.
  package func show(_ durability: Durability) {
    guard !durability.isResolved || durability.loss != nil else { return }
    state.withLock { state in
      if state.shown.last?.receipt !== durability.receipt { state.shown.append(durability) }
    }
  }

  /// Refuses the work.
  ///
  /// The caller must name the executor on which it continues; see ``goOn(at:)``.
  ///
  /// - Returns: The error to throw.
  package func refuse() -> ServiceError {
    state.withLock { $0.isRefused = true }
    return ServiceError(.overloaded, "The tree is being worked on; try again soon.")
  }

  /// Refuses the work and names the executor on which it continues.
  ///
  /// - Returns: The error to throw.
  package func refuse(to executor: any WorkExecutor) -> ServiceError {
    goOn(at: executor)
    return refuse()
  }

  /// Names the executor on which refused work continues.
  ///
  /// Only the first call has an effect.
  package func goOn(at executor: any WorkExecutor) {
    state.withLock { state in
      if state.next == nil { state.next = executor }
    }
  }

  /// Cancels a refusal, because the work need not continue on an executor.
  package func forgetRefusal() {
    state.withLock { state in
      state.isRefused = false
      state.next = nil
    }
  }

  /// Checks that the time of the work is not over.
  ///
  /// The time starts with the first check.
  ///
  /// See ``WorkControl``.
  ///
  /// - Throws: The error of ``refuse()`` if the work has taken too long for its thread.
  package func check() throws(ServiceError) {
    let now = clock()
    let isOver = state.withLock { state in
      guard let end = state.end else {
        state.end = now + (mayWait ? Self.maxWorkerNanoseconds : Self.maxNanoseconds)
        return false
      }
      state.isOutOfTime = now >= end
      return state.isOutOfTime
    }
    if isOver { throw refuse() }
  }
}

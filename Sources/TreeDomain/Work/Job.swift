import Synchronization

/// The work of one request on worker threads, possibly on several executors in turn.
///
/// It stops at its next check if its client is gone, if its processor time is used up, or if the
/// service ends.
package final class Job: WorkControl {
  private struct State {
    var slot: (any WorkSlot)?
    /// The processor time used on earlier executors, in nanoseconds.
    var usedBefore = 0
  }

  /// The name of the caller; `nil` for one without.
  package let caller: String?
  /// True if an attempt at the work was stopped because it took too long for an event loop.
  package let isLong: Bool
  /// The name of the caller whose share of memory the work uses; `nil` if there are no shares.
  package let payer: String?
  private let maxSeconds: Int
  private let body: @Sendable (Attempt) -> Void
  private let isCancelled = Atomic(false)
  private let state = Mutex(State())

  /// Makes the work of a request.
  ///
  /// - Parameters:
  ///   - caller: The name of the caller.
  ///   - payer: The name of the caller whose share of memory the work uses.
  ///   - maxSeconds: The limit of processor time, in seconds.
  ///   - isLong: True if an attempt at it was stopped because it took too long.
  ///   - body: The work. If it is refused, the attempt names the executor on which it continues.
  package init(
    caller: String? = nil,
    payer: String? = nil,
    maxSeconds: Int = .max,
    isLong: Bool = false,
    _ body: @escaping @Sendable (Attempt) -> Void
  ) {
    self.caller = caller
    self.payer = payer
    self.maxSeconds = maxSeconds
    self.isLong = isLong
    self.body = body
  }

  /// Runs the work on a worker thread.
  ///
  /// - Parameters:
  ///   - slot: The slot on the thread.
  ///   - executor: The executor that runs it.
  package func run(on slot: any WorkSlot, of executor: any WorkExecutor) {
    state.withLock { $0.slot = slot }
    body(Attempt(at: executor, self))
    let used = slot.pause()
    state.withLock { state in
      state.usedBefore += used
      state.slot = nil
    }
  }

  /// Stops the work at its next check, because its client is gone.
  package func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Checks that the work may continue.
  ///
  /// See ``WorkControl``.
  package func check() throws(ServiceError) {
    let (slot, before) = state.withLock { ($0.slot, $0.usedBefore) }
    try checkReasons(slot)
    let used = before + (slot?.pause() ?? 0)
    // The reasons may have changed while other work had its share.
    try checkReasons(slot)
    guard used / 1_000_000_000 >= maxSeconds else { return }
    throw .tooLarge(
      limit: maxSeconds,
      "The request takes more than \(maxSeconds) s of processor time (`maxRequestSeconds`); ask"
        + " for less at once."
    )
  }

  /// Gives other work its share of the processor.
  package func pause() { state.withLock { $0.slot }?.pause() }

  private func checkReasons(_ slot: (any WorkSlot)?) throws(ServiceError) {
    if isCancelled.load(ordering: .relaxed) {
      throw ServiceError(.overloaded, "The client is gone; send the request again.")
    }
    if slot?.isStopping == true {
      throw ServiceError(.overloaded, "The service is shutting down; send the request again soon.")
    }
  }
}

/// A control that decides whether a piece of work may continue.
package protocol WorkControl: AnyObject, Sendable {
  /// The name of the caller whose share of memory the work uses; `nil` if there are no shares.
  var payer: String? { get }

  /// Returns if the work may continue, possibly after other work had its share of the processor.
  ///
  /// - Throws: The reason why the work must stop: its limit, its client or the end of the service.
  func check() throws(ServiceError)

  /// Gives other work its share of the processor, where the work cannot be stopped any more.
  func pause()
}

extension WorkControl {
  /// No caller.
  package var payer: String? { nil }

  /// Does nothing.
  package func pause() {}
}

import TreeDomain
import TreeEngine

/// Counts the steps of a piece of work, and stops it when it may not continue.
///
/// A step is about one visited node, 64 bytes read, or one comparison. After ``interval`` steps the
/// meter asks its control, so that loops need not read a clock. Counting may throw, so it must
/// happen where everything can be rolled back.
final class WorkMeter {
  /// The maximum number of steps between two checks, about 0.1 ms of work.
  static let interval = 1_000
  /// The maximum number of steps counted at once on an event loop, about 0.5 ms of work.
  ///
  /// They cannot be interrupted, so the check after them would come too late.
  private static let mostStepsAtOnce = 5 * interval

  /// The number of steps between two checks.
  ///
  /// Tests use a smaller one.
  var interval = WorkMeter.interval {
    didSet { stepsLeft = interval }
  }
  private var control: (any WorkControl)?
  /// The attempt, if the work must be small; otherwise `nil`.
  private var attempt: Attempt?
  private var stepsLeft = WorkMeter.interval
  /// The number of steps until the last check.
  private var checkedSteps = 0
  /// The reason for interrupting the engine, until it is thrown.
  private var refusal: ServiceError?

  /// The name of the caller whose share of memory the work uses; `nil` if there are no shares.
  var payer: String? { control?.payer }

  /// The number of steps so far.
  var steps: Int { checkedSteps + interval - stepsLeft }

  /// Begins counting for a piece of work.
  ///
  /// Without a control, nothing stops the work.
  func begin(_ control: (any WorkControl)?) {
    self.control = control
    attempt = nil
    stepsLeft = interval
    checkedSteps = 0
  }

  /// Begins counting for an attempt that must be small.
  func begin(trying attempt: Attempt) {
    begin(attempt)
    self.attempt = attempt
  }

  /// True if the work must be small, because others wait for the thread.
  var isSmall: Bool { attempt != nil }

  /// Refuses to continue if the work must be small.
  ///
  /// - Throws: The error of ``Attempt/refuse()``.
  func demandTime() throws(ServiceError) {
    if let attempt { throw attempt.refuse() }
  }

  /// Runs a function whose work may take long, unless the thread is an event loop.
  ///
  /// - Throws: The error of ``Attempt/refuse()`` on an event loop.
  func onWorker(_ work: () -> Void) throws(ServiceError) {
    guard let attempt else { return work() }
    guard attempt.mayWait else { throw attempt.refuse() }
    begin(attempt.job)
    work()
    begin(trying: attempt)
  }

  /// Counts steps, before or after they are done.
  ///
  /// - Throws: The errors of the control, if a check is due.
  /// - Complexity: O(1).
  @inline(__always)
  func count(_ steps: Int = 1) throws(ServiceError) {
    stepsLeft -= steps
    if stepsLeft <= 0 { try check() }
  }

  /// Asks the control, even if no check is due.
  ///
  /// - Throws: The errors of the control. On an event loop also the error of ``Attempt/refuse()``,
  ///   if too many steps were counted at once.
  @inline(never)
  func check() throws(ServiceError) {
    if let attempt, !attempt.mayWait, stepsLeft <= -Self.mostStepsAtOnce {
      throw attempt.refuse()
    }
    checkedSteps = steps
    stepsLeft = interval
    try control?.check()
  }

  /// Counts steps of work that can be neither stopped nor rolled back, and pauses for other work.
  ///
  /// - Complexity: O(1).
  func pass(_ steps: Int) {
    stepsLeft -= steps
    guard stepsLeft <= 0 else { return }
    checkedSteps = self.steps
    stepsLeft = interval
    control?.pause()
  }

  /// Returns a meter that pauses work that cannot be rolled back, but never stops it.
  func withoutStops() -> WorkMeter {
    let meter = WorkMeter()
    meter.begin(control.map(PausingControl.init))
    return meter
  }

  /// Pauses for other work, without stopping the current work.
  func pause() { control?.pause() }
}

// The engine knows neither the meter nor its errors. It is interrupted instead, and the meter keeps
// the reason.
extension WorkMeter {
  /// Counts steps of the engine, as its ``SizedTree/StepCounter``.
  ///
  /// - Throws: An interruption if the meter refuses to continue.
  func step(_ steps: Int) throws(Interruption) {
    try interrupting { () throws(ServiceError) in try count(steps) }
  }

  /// Counts a step of a search in the engine, and does the work of the step.
  ///
  /// - Returns: False if the search must end, because the work returned false or an error was
  ///   thrown. ``relay(_:_:)`` throws the error again.
  func proceeds(_ work: () throws(ServiceError) -> Bool = { true }) -> Bool {
    do throws(ServiceError) {
      try count()
      return try work()
    } catch {
      refusal = error
      return false
    }
  }

  /// Does work for the engine.
  ///
  /// If the work fails, the engine is interrupted, and the meter keeps the error.
  func interrupting<Value>(
    _ work: () throws(ServiceError) -> Value
  ) throws(Interruption) -> Value {
    do throws(ServiceError) {
      return try work()
    } catch {
      refusal = error
      throw Interruption()
    }
  }

  /// Runs a step of the engine, and throws the reason if the step was interrupted.
  ///
  /// - Parameters:
  ///   - step: The step, which counts by ``step(_:)`` or ``proceeds(_:)``.
  ///   - meaning: Translates an error of the engine itself.
  /// - Returns: The result of the step.
  /// - Throws: The errors of the meter, and those of `meaning`.
  func relay<Value, Failure: Error>(
    _ step: () throws(Failure) -> Value,
    _ meaning: (Failure) -> ServiceError = { _ in
      ServiceError(.internalError, "a step was stopped without a reason")
    }
  ) throws(ServiceError) -> Value {
    let value: Value
    do throws(Failure) {
      value = try step()
    } catch {
      throw refusal.take() ?? meaning(error)
    }
    if refusal != nil, let refusal = refusal.take() { throw refusal }
    return value
  }
}

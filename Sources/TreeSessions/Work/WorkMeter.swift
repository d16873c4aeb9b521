import TreeDomain

/// Counts the steps of one piece of work, and stops it when it may not go on.
///
/// A step is about a node visited, 64 bytes read, or a comparison. Every so many steps the meter
/// asks its control, so that loops need not read a clock. A loop counts where everything can be
/// undone: an error may be thrown from there.
final class WorkMeter {
  /// The most steps between two checks; about 0.1 ms of work.
  static let interval = 1_000

  /// The steps between two checks, which tests make fewer.
  var interval = WorkMeter.interval {
    didSet { stepsLeft = interval }
  }
  private var control: (any WorkControl)?
  /// The attempt that must be small; `nil` for work that may take its time.
  private var attempt: Attempt?
  private var stepsLeft = WorkMeter.interval
  /// The number of steps up to the last check.
  private var checkedSteps = 0

  /// The name of the caller whose share of memory the work uses; `nil` if there are no shares.
  var payer: String? { control?.payer }

  /// The number of steps counted so far.
  var steps: Int { checkedSteps + interval - stepsLeft }

  /// Begins to count for a piece of work; without a control nothing stops it.
  func begin(_ control: (any WorkControl)?) {
    self.control = control
    attempt = nil
    stepsLeft = interval
    checkedSteps = 0
  }

  /// Begins to count for an attempt that must be small.
  func begin(trying attempt: Attempt) {
    begin(attempt)
    self.attempt = attempt
  }

  /// True if the work has to be small: others wait for the thread.
  var isSmall: Bool { attempt != nil }

  /// Refuses work that is not small, where it has to be.
  ///
  /// - Throws: As ``Attempt/refuse()``.
  func demandTime() throws(ServiceError) {
    if let attempt { throw attempt.refuse() }
  }

  /// Counts steps that are about to be done, or are done.
  ///
  /// - Throws: What the control throws, if it is asked.
  /// - Complexity: O(1).
  @inline(__always)
  func count(_ steps: Int = 1) throws(ServiceError) {
    stepsLeft -= steps
    if stepsLeft <= 0 { try check() }
  }

  /// Asks the control, however few steps were counted.
  ///
  /// - Throws: What the control throws.
  @inline(never)
  func check() throws(ServiceError) {
    checkedSteps = steps
    stepsLeft = interval
    try control?.check()
  }

  /// Returns a meter for work that cannot be undone any more: it only lets others have their share.
  func withoutStops() -> WorkMeter {
    let meter = WorkMeter()
    meter.begin(control.map(PausingControl.init))
    return meter
  }

  /// Gives others their share of the processor, where nothing can be undone any more.
  func pause() { control?.pause() }
}

import TreeDomain

/// Counts the steps of one piece of work, and stops it when it may not go on.
///
/// A step is about a node visited, 64 bytes read, or a comparison. Every ``interval`` steps the
/// meter asks its control, so that loops need not read a clock. A loop counts where everything can
/// be undone: an error may be thrown from there.
final class WorkMeter {
  /// The most steps between two checks; about 0.1 ms of work.
  static let interval = 1_000

  private var control: (any WorkControl)?
  private var stepsLeft = interval
  /// The number of steps up to the last check.
  private var checkedSteps = 0

  /// The number of steps counted so far.
  var steps: Int { checkedSteps + Self.interval - stepsLeft }

  /// Begins to count for a piece of work; without a control nothing stops it.
  func begin(_ control: (any WorkControl)?) {
    self.control = control
    stepsLeft = Self.interval
    checkedSteps = 0
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
    stepsLeft = Self.interval
    try control?.check()
  }
}

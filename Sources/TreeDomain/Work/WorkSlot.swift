/// The execution context of a piece of work on a worker thread.
package protocol WorkSlot: AnyObject, Sendable {
  /// Lets other work run if this work has used up its share, and returns when it may continue.
  ///
  /// - Returns: The processor time that the work has used on this slot so far, in nanoseconds.
  @discardableResult
  func pause() -> Int

  /// True if the service is stopping, so that the work must stop where it can.
  var isStopping: Bool { get }
}

/// A slot on a thread without a scheduler, for tests and tools.
///
/// Work is never paused.
package final class UnscheduledSlot: WorkSlot {
  /// Makes a slot.
  package init() {}

  /// Does nothing and returns 0.
  package func pause() -> Int { 0 }

  /// Always false.
  package var isStopping: Bool { false }
}

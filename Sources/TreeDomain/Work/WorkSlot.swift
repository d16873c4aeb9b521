/// A place on a worker thread, where one piece of work runs.
public protocol WorkSlot: AnyObject, Sendable {
  /// Lets other work run if this one has used up its share, and returns when it may go on.
  ///
  /// - Returns: The processor time that the work has used here so far, in nanoseconds.
  @discardableResult
  func pause() -> Int

  /// True if the service ends, so that the work has to stop where it can.
  var isStopping: Bool { get }
}

/// A place of a thread that nobody schedules, for tests and tools: work is never asked to pause.
public final class UnscheduledSlot: WorkSlot {
  /// Makes a place.
  public init() {}

  /// Does nothing; no time is measured.
  public func pause() -> Int { 0 }

  /// False.
  public var isStopping: Bool { false }
}

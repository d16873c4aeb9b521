/// A piece of work for a worker thread, with the tree and the caller whose shares of the workers it
/// uses.
package struct WorkItem: Sendable {
  /// The number of the tree; `nil` for work without a tree.
  package let tree: Int?
  /// The name of the caller; `nil` for callers without a name, and for work of the service itself.
  package let caller: String?
  /// True if the work starts only after other exclusive work of the tree has finished.
  package let isExclusive: Bool
  /// The work.
  package let run: @Sendable (any WorkSlot) -> Void

  /// Makes a piece of work.
  ///
  /// - Parameters:
  ///   - tree: The number of its tree.
  ///   - caller: The name of the caller.
  ///   - isExclusive: True if it starts only after other exclusive work of the tree has finished.
  ///   - run: The work.
  package init(
    tree: Int? = nil,
    caller: String? = nil,
    isExclusive: Bool = true,
    _ run: @escaping @Sendable (any WorkSlot) -> Void
  ) {
    self.tree = tree
    self.caller = caller
    self.isExclusive = isExclusive
    self.run = run
  }

  /// Queues a piece of work without waiting.
  ///
  /// The work is always accepted.
  package typealias Scheduling = @Sendable (WorkItem) -> Void
}

/// A queue for the work of requests that must not be done on an event loop.
package protocol WorkExecutor: AnyObject, Sendable {
  /// Queues the work of a request without waiting.
  ///
  /// - Parameter job: The work.
  /// - Returns: False if too much work is queued. The job is not run then.
  func submit(_ job: Job) -> Bool
}

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

/// A queue for the work of requests that must not be done on an event loop.
public protocol WorkExecutor: AnyObject, Sendable {
  /// Queues the work of a request; it does not wait.
  ///
  /// - Parameter job: The work.
  /// - Returns: False if too much work waits already; the job is not run then.
  func submit(_ job: Job) -> Bool
}

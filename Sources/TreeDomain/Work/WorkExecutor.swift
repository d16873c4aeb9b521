/// A queue for the work of requests that must not be done on an event loop.
package protocol WorkExecutor: AnyObject, Sendable {
  /// Queues the work of a request without waiting.
  ///
  /// - Parameter job: The work.
  /// - Returns: False if too much work is queued. The job is not run then.
  func submit(_ job: Job) -> Bool
}

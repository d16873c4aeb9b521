import TreeDomain

// Work that no client waits for.
extension LockedTree {
  typealias BackgroundTask = @Sendable (inout TreeManager) throws(ServiceError) -> sending Void

  /// Runs a task that no client waits for: at once if it is small, otherwise on the executor.
  ///
  /// - Parameters:
  ///   - task: The task.
  ///   - failed: Called with the error if the task fails, but not if it only continues on the
  ///     executor.
  func runInBackground(
    _ task: @escaping BackgroundTask,
    failed: @escaping @Sendable (ServiceError) -> Void = { _ in }
  ) {
    let attempt = Attempt()
    do throws(ServiceError) {
      try withTree(.attempt(attempt), task)
    } catch {
      guard attempt.isRefused else { return failed(error) }
      executor.add { [self] control in
        do throws(ServiceError) {
          try withTree(.waiting(control), task)
        } catch {
          failed(error)
        }
      }
    }
  }
}

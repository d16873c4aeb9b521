import TreeDomain

/// The work on large bodies, before it is known what it is about.
final class BodyExecutor: WorkExecutor {
  /// Queues work for the worker threads; false if there is no room for more.
  let run: TreeAPI.Runner

  init(_ run: @escaping TreeAPI.Runner) { self.run = run }

  func submit(_ job: Job) -> Bool {
    run(WorkItem(caller: job.caller) { [self] slot in job.run(on: slot, of: self) })
  }
}

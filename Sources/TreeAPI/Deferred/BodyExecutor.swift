import TreeDomain

/// The executor for decoding large bodies, before their tree is known.
final class BodyExecutor: WorkExecutor {
  /// Queues work for the worker threads; returns false if the queue is full.
  let run: TreeAPI.Runner

  init(_ run: @escaping TreeAPI.Runner) { self.run = run }

  func submit(_ job: Job) -> Bool {
    run(WorkItem(caller: job.caller) { [self] slot in job.run(on: slot, of: self) })
  }
}

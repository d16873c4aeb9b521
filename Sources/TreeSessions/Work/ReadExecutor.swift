import TreeDomain

/// The reads of one tree that are not done on event loops: on copies, several at a time.
///
/// They wait in the room of the tree's own executor, and use its share of the workers.
final class ReadExecutor: WorkExecutor {
  private let executor: TreeExecutor

  init(_ executor: TreeExecutor) { self.executor = executor }

  /// Queues a read; see ``WorkExecutor``.
  func submit(_ job: Job) -> Bool { executor.submit(job, isExclusive: false, runBy: self) }
}

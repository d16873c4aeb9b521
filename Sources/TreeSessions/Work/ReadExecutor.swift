import TreeDomain

/// The executor of one tree's long reads, which run on copies, several at a time.
///
/// They count as waiting calls of the tree's own executor, and use its share of the workers.
final class ReadExecutor: WorkExecutor {
  private let executor: TreeExecutor

  init(_ executor: TreeExecutor) { self.executor = executor }

  /// Queues a read; see ``WorkExecutor``.
  func submit(_ job: Job) -> Bool { executor.submit(job, isExclusive: false, runBy: self) }
}

import TreeDomain

/// An executor of one tree's work that need not wait for other work of the tree.
///
/// Its calls count as waiting calls of the tree's own executor, and use its share of the workers.
final class SharedExecutor: WorkExecutor {
  private let executor: TreeExecutor

  init(_ executor: TreeExecutor) { self.executor = executor }

  /// Queues a call; see ``WorkExecutor``.
  func submit(_ job: Job) -> Bool { executor.submit(job, isExclusive: false, runBy: self) }
}

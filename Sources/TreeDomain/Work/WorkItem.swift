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

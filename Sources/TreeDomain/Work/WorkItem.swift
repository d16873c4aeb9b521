/// A piece of work for a worker thread, with the tree and the caller whose shares of the workers it
/// uses.
public struct WorkItem: Sendable {
  /// The number of the tree; `nil` for work without a tree.
  public let tree: Int?
  /// The name of the caller; `nil` for callers without a name, and for work of the service itself.
  public let caller: String?
  /// True if the work starts only after other exclusive work of the tree has finished.
  public let isExclusive: Bool
  /// The work.
  public let run: @Sendable (any WorkSlot) -> Void

  /// Makes a piece of work.
  ///
  /// - Parameters:
  ///   - tree: The number of its tree.
  ///   - caller: The name of the caller.
  ///   - isExclusive: True if it starts only after other exclusive work of the tree has finished.
  ///   - run: The work.
  public init(
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
  public typealias Scheduling = @Sendable (WorkItem) -> Void
}

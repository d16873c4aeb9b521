/// A piece of work for a worker thread, and those whose share of the workers it uses.
public struct WorkItem: Sendable {
  /// The tree that it is about; `nil` for work about none.
  public let tree: Int?
  /// The name of the caller; `nil` for callers without a name, and for work of the service itself.
  public let caller: String?
  /// True if no other such work about the tree may have begun.
  public let isExclusive: Bool
  /// The work.
  public let run: @Sendable (any WorkSlot) -> Void

  /// Makes a piece of work.
  ///
  /// - Parameters:
  ///   - tree: The number of its tree.
  ///   - caller: The name of the caller.
  ///   - isExclusive: True if no other such work about the tree may have begun.
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

  /// Queues a piece of work for the workers, which must take it; it does not wait.
  public typealias Scheduling = @Sendable (WorkItem) -> Void
}

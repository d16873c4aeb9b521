extension SizedTree {
  /// Returns an independent tree with the same nodes, views and history.
  ///
  /// The two share their memory, each chunk until one of them changes it. Nodes and views have the
  /// same names in both. The two may be used by two threads.
  ///
  /// - Precondition: No transaction is running.
  /// - Complexity: O(1); O(views) at the first change of either tree after that, and O(1) at the
  ///   first change of each chunk.
  @specialized(where Width == Fanout<64>)
  public func fork() -> SizedTree {
    precondition(transaction == nil, "a transaction is running")
    return SizedTree(sharing: self)
  }

  private init(sharing other: borrowing SizedTree) {
    forest = Forest(sharing: other.forest)
    watchers = other.watchers
    viewCount = other.viewCount
    vacantSlots = other.vacantSlots
    layered = other.layered
    indexes = other.indexes
    history = other.history
    unloadedCount = other.unloadedCount
    maxDepth = other.maxDepth
    viewMemory = other.viewMemory
  }
}

extension SizedTree {
  /// Returns an independent tree with the same nodes, views and history.
  ///
  /// Both share each chunk of memory until one of them changes it. Nodes and views have the same
  /// identifiers in both. Different threads may use them.
  ///
  /// - Precondition: No transaction is running.
  /// - Complexity: O(1). The first change of either tree afterwards takes O(views), and the first
  ///   change of each chunk copies it.
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
    orderings = other.orderings.map { $0.fork() }
    orderingCount = other.orderingCount
    history = other.history
    unloadedCount = other.unloadedCount
    maxDepth = other.maxDepth
    viewMemory = other.viewMemory
  }
}

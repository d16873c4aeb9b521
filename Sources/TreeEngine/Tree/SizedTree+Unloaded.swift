// Nodes that were expanded and whose children are still to be supplied.
extension SizedTree {
  /// Returns the nodes that the running transaction expanded and whose children are not loaded.
  ///
  /// Their state is `unloaded` or `failed` now. Nodes that the rule expands when they are added or
  /// moved do not count.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Returns: The nodes.
  /// - Throws: The error that `count` throws.
  /// - Complexity: O((*e* + *u*) log *n*) for *e* nodes expanded and *u* nodes touched.
  @specialized(where Width == Fanout<64>)
  public func expandedUnloaded(
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) -> [NodeID] {
    guard hasUnloaded, let transaction else { return [] }
    let slot = slot(of: id)
    try count(transaction.readings.count)
    let byRule = unloadedByRule(of: transaction, inViewAt: slot)
    return try stillUnloaded(watchers[slot].expanded + byRule, in: id, count)
  }

  /// Returns the nodes that were expanded since a commit and whose children are not loaded.
  ///
  /// Their state is `unloaded` or `failed` now.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - number: The number of the commit.
  ///   - count: Counts the steps.
  /// - Returns: The nodes.
  /// - Throws: The error that `count` throws.
  /// - Precondition: As ``changes(of:since:isOneCommit:counting:)``.
  /// - Complexity: O(*e* log *n*) for *e* nodes expanded, and O(changes since the commit).
  @specialized(where Width == Fanout<64>)
  public func expandedUnloaded(
    in id: ViewID,
    since number: Int,
    counting count: StepCounter
  ) throws(Interruption) -> [NodeID] {
    guard hasUnloaded else { return [] }
    let span = try viewSpan(at: slot(of: id), since: number, count)
    return try stillUnloaded(span.expanded, in: id, count)
  }

  /// Returns the nodes without loaded children that changes of rule expanded in a transaction.
  ///
  /// Nodes whose children became unloaded after the change of rule are included.
  func unloadedByRule(of transaction: Transaction<Width>, inViewAt slot: Int) -> [NodeID] {
    var found = watchers[slot].expandedUnloaded
    guard hasUnloaded, watchers[slot].hasNewRule else { return found }
    let (readings, watcher) = (transaction.readings, watchers[slot])
    let candidates = zip(readings.keys.nodes, readings.values).filter { node, before in
      guard forest.isAttached(node), isUnloaded(node), before.childState != .leaf else {
        return false
      }
      return !watcher.wasExpanded(node, depth: forest.place(of: node).depth)
    }
    guard !candidates.isEmpty else { return found }
    let made = Set(transaction.made)
    found += candidates.lazy.map(\.0).filter { !made.contains($0) }
    return found
  }

  private func stillUnloaded(
    _ nodes: [NodeID],
    in id: ViewID,
    _ count: StepCounter
  ) throws(Interruption) -> [NodeID] {
    var seen: Set<NodeID> = []
    var unloaded: [NodeID] = []
    for node in nodes {
      try count(1)
      let isWanted = forest.isAttached(node) && isUnloaded(node) && isExpanded(node, in: id)
      if isWanted, seen.insert(node).inserted { unloaded.append(node) }
    }
    return unloaded
  }
}

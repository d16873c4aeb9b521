// Nodes that were expanded and whose children are still to be supplied.
extension SizedTree {
  /// The nodes that the running transaction expanded whose children nobody has supplied, or
  /// supplying them failed, as of now.
  ///
  /// Nodes that follow the rule as they come or move are not among them.
  ///
  /// - Complexity: O((*e* + *u*) log *n*) for *e* nodes expanded and *u* nodes touched.
  @specialized(where Width == Fanout<64>)
  public func expandedUnloaded(in id: ViewID) -> [NodeID] {
    guard hasUnloaded, let transaction else { return [] }
    let slot = slot(of: id)
    let byRule = unloadedByRule(of: transaction, inViewAt: slot)
    return stillUnloaded(watchers[slot].expanded + byRule, in: id)
  }

  /// The nodes expanded since a commit whose children nobody has supplied, or supplying them
  /// failed, as of now.
  ///
  /// - Precondition: as ``changes(of:since:isOneCommit:)``.
  /// - Complexity: O(*e* log *n*) for *e* nodes expanded, and O(all that happened since).
  @specialized(where Width == Fanout<64>)
  public func expandedUnloaded(in id: ViewID, since number: Int) -> [NodeID] {
    guard hasUnloaded else { return [] }
    return stillUnloaded(viewSpan(at: slot(of: id), since: number).expanded, in: id)
  }

  /// The nodes without supplied children that changes of rule expanded in a transaction.
  ///
  /// Nodes that lost their children after the change count, too.
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

  private func stillUnloaded(_ nodes: [NodeID], in id: ViewID) -> [NodeID] {
    var seen: Set<NodeID> = []
    return nodes.filter { node in
      forest.isAttached(node) && isUnloaded(node) && isExpanded(node, in: id)
        && seen.insert(node).inserted
    }
  }
}

extension SizedTree {
  /// Lets the members of a filter follow the running transaction.
  ///
  /// First come all reasons to be a member, then the reasons that are gone, so that no node comes
  /// and goes in between.
  ///
  /// - Throws: What counting or asking throws; ``RowFilter/rollBack()`` takes back what was done.
  /// - Complexity: O((*k* + *m*) log *n*) for *k* nodes touched and *m* members that come or go.
  func updateMembers(
    of filter: inout RowFilter<Width>,
    _ layering: inout Layering<Width>,
    _ count: StepCounter,
    _ matches: (borrowing SizedTree, NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) {
    guard let transaction else { return }
    try count(transaction.inverses.count / 8)
    let movedMembers = formerParents(transaction).filter { filter.isMember($0.node) }
    for (node, _) in movedMembers where forest.isAttached(node) {
      try count(1)
      filter.gainChild(forest[node].parent, in: forest)
    }
    let doubtful = try admitTouched(transaction, to: &filter, &layering, count, matches)
    for case .removed(let cutting, _, _) in transaction.inverses {
      for node in forest.nodes(of: cutting) {
        try count(1)
        filter.forget(node)
      }
    }
    for (_, parent) in movedMembers { filter.loseChild(parent, in: forest) }
    for node in movedMembers.map(\.node) + doubtful {
      try count(1)
      filter.dismiss(node, in: forest)
    }
  }

  /// Nodes of before that were taken out of their parents' children, and those parents.
  private func formerParents(
    _ transaction: Transaction<Width>
  ) -> [(node: NodeID, parent: NodeID)] {
    var seen = Set(transaction.made)
    var found: [(node: NodeID, parent: NodeID)] = []
    for inverse in transaction.inverses {
      guard let (node, standing) = inverse.source, seen.insert(node).inserted else { continue }
      found.append((node, standing.parent))
    }
    return found
  }

  /// Admits what matches now and what now stands at the top level.
  ///
  /// - Returns: nodes that match no longer.
  private func admitTouched(
    _ transaction: Transaction<Width>,
    to filter: inout RowFilter<Width>,
    _ layering: inout Layering<Width>,
    _ count: StepCounter,
    _ matches: (borrowing SizedTree, NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) -> [NodeID] {
    var doubtful: [NodeID] = []
    for node in Set(transaction.made).union(transaction.readings.keys.nodes) {
      try count(1)
      guard forest.isAttached(node) else { continue }
      let was = filter.isMatched(node)
      let isNow = try matches(self, node)
      if was != isNow { layering.matchedBefore[node] = was }
      if isNow { filter.match(node, in: forest) }
      if was, !isNow {
        filter.unmatch(node)
        doubtful.append(node)
      }
    }
    for node in transaction.made + transaction.movedNodes
    where forest.isAttached(node) && forest[node].parent == .forestRoot {
      filter.admit(node, in: forest)
    }
    return doubtful
  }
}

extension Transaction {
  /// The roots of subtrees that were moved.
  var movedNodes: [NodeID] {
    inverses.compactMap { inverse in
      guard case .moved(let node, _, _) = inverse else { return nil }
      return node
    }
  }
}

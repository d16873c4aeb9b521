extension SizedTree {
  /// Updates the members of a filter after changes of the data.
  ///
  /// Reasons to be a member are added first, and lost ones are removed afterwards. So no node
  /// leaves and returns in between.
  ///
  /// - Throws: The error that `count` or `matches` throws. ``RowFilter/rollBack()`` undoes what was
  ///   done.
  /// - Complexity: O((*k* + *m*) log *n*) for *k* nodes touched and *m* members that come or go.
  func updateMembers(
    of filter: inout RowFilter<Width>,
    _ changes: DataChanges<Width>,
    _ matchedBefore: inout [NodeID: Bool],
    _ count: StepCounter,
    _ matches: (borrowing SizedTree, NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) {
    try count(changes.sources.count)
    let movedMembers = changes.sources.filter { filter.isMember($0.node) }
    for (node, _) in movedMembers where forest.isAttached(node) {
      try count(1)
      filter.gainChild(forest[node].parent, in: forest)
    }
    let doubtful = try admitTouched(changes, to: &filter, &matchedBefore, count, matches)
    for node in changes.removed {
      try count(1)
      filter.forget(node)
    }
    for (_, parent) in movedMembers { filter.loseChild(parent, in: forest) }
    for node in movedMembers.map(\.node) + doubtful {
      try count(1)
      filter.dismiss(node, in: forest)
    }
  }

  /// Adds the touched nodes that match, and those now at the top level.
  ///
  /// - Returns: The nodes that no longer match.
  private func admitTouched(
    _ changes: DataChanges<Width>,
    to filter: inout RowFilter<Width>,
    _ matchedBefore: inout [NodeID: Bool],
    _ count: StepCounter,
    _ matches: (borrowing SizedTree, NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) -> [NodeID] {
    var doubtful: [NodeID] = []
    for node in changes.touched.nodes {
      try count(1)
      guard forest.isAttached(node) else { continue }
      let was = filter.isMatched(node)
      let isNow = try matches(self, node)
      if was != isNow { matchedBefore[node] = was }
      if isNow { filter.match(node, in: forest) }
      if was, !isNow {
        filter.unmatch(node)
        doubtful.append(node)
      }
    }
    for node in changes.touched.nodes + changes.moved
    where forest.isAttached(node) && forest[node].parent == .forestRoot {
      filter.admit(node, in: forest)
    }
    return doubtful
  }
}

extension RowFilter {
  /// Updates the members after changes of the data.
  ///
  /// Reasons to be a member are added first, and lost ones are removed afterwards. So no node
  /// leaves and returns in between.
  ///
  /// - Throws: The error that `count` or `matches` throws. ``RowFilter/rollBack()`` undoes what was
  ///   done.
  /// - Complexity: O((*k* + *m*) log *n*) for *k* nodes touched and *m* members that come or go.
  mutating func update(
    after changes: DataChanges<Width>,
    in forest: borrowing Forest<Width>,
    recording matchedBefore: inout [NodeID: Bool],
    _ count: (Int) throws(Interruption) -> Void,
    _ matches: (NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) {
    try count(changes.sources.count)
    let movedMembers = changes.sources.filter { isMember($0.node) }
    for (node, _) in movedMembers where forest.isAttached(node) {
      try count(1)
      gainChild(forest[node].parent, in: forest)
    }
    let doubtful = try admitTouched(changes, in: forest, &matchedBefore, count, matches)
    for node in changes.removed {
      try count(1)
      forget(node)
    }
    for (_, parent) in movedMembers { loseChild(parent, in: forest) }
    for node in movedMembers.map(\.node) + doubtful {
      try count(1)
      dismiss(node, in: forest)
    }
  }

  /// Adds the touched nodes that match, and those now at the top level.
  ///
  /// - Returns: The nodes that no longer match.
  private mutating func admitTouched(
    _ changes: DataChanges<Width>,
    in forest: borrowing Forest<Width>,
    _ matchedBefore: inout [NodeID: Bool],
    _ count: (Int) throws(Interruption) -> Void,
    _ matches: (NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) -> [NodeID] {
    var doubtful: [NodeID] = []
    for node in changes.touched.nodes {
      try count(1)
      guard forest.isAttached(node) else { continue }
      let was = isMatched(node)
      let isNow = try matches(node)
      if was != isNow { matchedBefore[node] = was }
      if isNow { match(node, in: forest) }
      if was, !isNow {
        unmatch(node)
        doubtful.append(node)
      }
    }
    for node in changes.touched.nodes + changes.moved
    where forest.isAttached(node) && forest[node].parent == .forestRoot {
      admit(node, in: forest)
    }
    return doubtful
  }
}

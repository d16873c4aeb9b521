/// A row that a transaction took out and put back.
struct ReturnedRow: Sendable {
  var index: Int32
  var newIndex: Int32
  var node: NodeID
  var parent: NodeID
  /// Retained rows before it, then and now alike; nil when its depth, its parent or the retained
  /// rows before it are not what they were, so that it moved in any case.
  var gap: Int32?

  /// Tells the rows that moved from those that are where they were.
  ///
  /// Of the rows that could have stayed, as many as possible did: a longest increasing subsequence.
  /// But with a node moves everything below it, so rows whose parent moved are left out of it.
  ///
  /// - Parameter rows: all returned rows, by ascending new index, so that parents come first.
  /// - Returns: those that moved.
  /// - Complexity: O(*n* log *n*), times the times that leaving out finds more to leave out.
  static func moved(of rows: [ReturnedRow]) -> [ReturnedRow] {
    var bound: Set<NodeID> = Set(rows.filter { $0.gap == nil }.map(\.node))
    while true {
      for row in rows where bound.contains(row.parent) { bound.insert(row.node) }
      let free = rows.filter { !bound.contains($0.node) }
      let moved = outOfOrder(free)
      let torn = free.filter { moved.contains($0.parent) && !moved.contains($0.node) }
      guard torn.isEmpty else {
        bound.formUnion(torn.map(\.node))
        continue
      }
      return rows.filter { bound.contains($0.node) || moved.contains($0.node) }
    }
  }

  /// The rows outside a longest increasing subsequence of each gap's.
  private static func outOfOrder(_ rows: [ReturnedRow]) -> Set<NodeID> {
    var moved: Set<NodeID> = []
    var start = 0
    while start < rows.count {
      let end = rows[start...].firstIndex { $0.gap != rows[start].gap } ?? rows.count
      let kept = Set(longestIncreasing(rows[start..<end].map(\.index)))
      for place in start..<end where !kept.contains(place - start) {
        moved.insert(rows[place].node)
      }
      start = end
    }
    return moved
  }
}

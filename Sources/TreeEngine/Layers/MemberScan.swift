/// Collects the members of a filter from all nodes in pre-order.
///
/// It decides if a node is a member after everything below the node, so it reads each node once.
struct MemberScan<Width: NodeWidth>: ~Copyable {
  /// The decided members and the open nodes, in pre-order.
  private var rows: [RowDelta<Width>.Listed] = []
  private var members: [FilterMember] = []
  /// The indexes in `rows` of the last node and its ancestors, outermost first.
  private var open: [Int] = []

  /// Adds the next node.
  ///
  /// - Parameters:
  ///   - row: The node. Its depth is 1 at the top level.
  ///   - isMatched: True if it matches the filter.
  /// - Complexity: O(1) on average.
  mutating func append(_ row: RowDelta<Width>.Listed, isMatched: Bool) {
    close(from: Int(row.depth))
    open.append(rows.count)
    rows.append(row)
    members.append(FilterMember(isMatched: isMatched))
  }

  /// Returns the members, and the same nodes as rows in pre-order.
  ///
  /// - Throws: The error that `count` throws.
  consuming func finish(
    _ count: SizedTree<Width>.StepCounter
  ) throws(Interruption) -> (members: NodeTable<FilterMember>, rows: [RowDelta<Width>.Listed]) {
    close(from: 1)
    var named = NodeTable<FilterMember>(minimumCapacity: members.count)
    for (row, member) in zip(rows, members) {
      try count(1)
      named[row.node] = member
    }
    return (named, rows)
  }

  /// Decides the open nodes at a depth and below.
  ///
  /// Nodes that match, have members below them or are at the top level are members.
  private mutating func close(from depth: Int) {
    while open.count >= depth, let place = open.popLast() {
      let member = members[place]
      if member.isMatched || member.children > 0 || open.isEmpty {
        if let parent = open.last { members[parent].children += 1 }
      } else {
        // Nothing below it is a member either, so it is the last element.
        rows.removeLast()
        members.removeLast()
      }
    }
  }
}

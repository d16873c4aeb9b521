/// Collects the members of a filter from all nodes in pre-order: each is settled once, when
/// everything below it has been seen.
struct MemberScan<Width: NodeWidth>: ~Copyable {
  /// What may be a member, in pre-order: all that is settled, and what is open.
  private var rows: [RowDelta<Width>.Listed] = []
  private var members: [FilterMember] = []
  /// The node seen last and those above it, outermost first, by their places.
  private var open: [Int] = []

  /// Takes note of the next node.
  ///
  /// - Parameters:
  ///   - row: the node; its depth is 1 at the top level.
  ///   - isMatched: whether it matches the filter.
  /// - Complexity: O(1) on average.
  mutating func append(_ row: RowDelta<Width>.Listed, isMatched: Bool) {
    close(from: Int(row.depth))
    open.append(rows.count)
    rows.append(row)
    members.append(FilterMember(isMatched: isMatched))
  }

  /// The members, and all of them as rows in pre-order.
  consuming func finish() -> (members: NodeTable<FilterMember>, rows: [RowDelta<Width>.Listed]) {
    close(from: 1)
    var named = NodeTable<FilterMember>(minimumCapacity: members.count)
    for (row, member) in zip(rows, members) { named[row.node] = member }
    return (named, rows)
  }

  /// Settles what is open at a depth and below: what matches, what has members below it, and what
  /// stands at the top level is a member.
  private mutating func close(from depth: Int) {
    while open.count >= depth, let place = open.popLast() {
      let member = members[place]
      if member.isMatched || member.children > 0 || open.isEmpty {
        if let parent = open.last { members[parent].children += 1 }
      } else {
        // Nothing below it is a member either, so that it is the last one there.
        rows.removeLast()
        members.removeLast()
      }
    }
  }
}

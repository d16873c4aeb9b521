/// Collects the members of a filter from all nodes in pre-order: each is settled once, when
/// everything below it has been seen.
struct MemberScan: ~Copyable {
  private var members: [NodeID: FilterMember] = [:]
  /// The node seen last and those above it, outermost first.
  private var open: [(node: NodeID, member: FilterMember)] = []

  /// Takes note of the next node.
  ///
  /// - Parameters:
  ///   - node: the node.
  ///   - depth: its depth, 1 at the top level.
  ///   - isMatched: whether it matches the filter.
  /// - Complexity: O(1) on average.
  mutating func append(_ node: NodeID, depth: Int, isMatched: Bool) {
    close(from: depth)
    open.append((node, FilterMember(isMatched: isMatched)))
  }

  /// The members.
  consuming func finish() -> [NodeID: FilterMember] {
    close(from: 1)
    return members
  }

  /// Settles what is open at a depth and below: what matches, what has members below it, and what
  /// stands at the top level is a member.
  private mutating func close(from depth: Int) {
    while open.count >= depth, let (node, member) = open.popLast() {
      guard member.isMatched || member.children > 0 || open.isEmpty else { continue }
      members[node] = member
      if !open.isEmpty { open[open.count - 1].member.children += 1 }
    }
  }
}

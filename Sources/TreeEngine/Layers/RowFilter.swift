/// The *members* of a filter, which are the matches and their ancestors, and the rows among them.
///
/// Nodes at the top level are always members. Each member stores the number of its children that
/// are members. So no search is needed to find out that nothing keeps a node a member any more.
struct RowFilter<Width: NodeWidth>: Sendable {
  private(set) var members: NodeTable<FilterMember>
  /// Members that are rows, in pre-order.
  var rows = RowSequence<Width>([])
  /// The former data of each member that the running transaction changed; nil for a new member.
  private var former = NodeMap<FilterMember?>()

  init(_ members: NodeTable<FilterMember> = NodeTable()) { self.members = members }

  func isMember(_ node: NodeID) -> Bool { members[node] != nil }

  func isMatched(_ node: NodeID) -> Bool { members[node]?.isMatched ?? false }

  func hasMembers(below node: NodeID) -> Bool { members[node]?.children ?? 0 > 0 }

  /// Returns how many children of the member's parent are members, including itself.
  ///
  /// If the member is a row, these siblings are rows, too.
  func siblingCount(of node: NodeID, in forest: borrowing Forest<Width>) -> Int {
    let parent = forest[node].parent
    if parent == .forestRoot { return Int(forest[parent].childCount) }
    return Int(members[parent]?.children ?? 0)
  }

  /// The nodes that became members or ceased to be members in the running transaction.
  ///
  /// - Complexity: O(nodes changed).
  var changedNodes: [NodeID] {
    zip(former.keys.nodes, former.values).compactMap { node, member in
      (member != nil) != isMember(node) ? node : nil
    }
  }

  /// Ends the transaction, so that it can no longer be rolled back.
  mutating func endTransaction() {
    former.removeAll(keepingRoomFor: 0)
    rows.endTransaction()
  }

  /// Restores the state before the running transaction.
  ///
  /// - Complexity: O(changes · log *n*).
  mutating func rollBack() {
    for (node, member) in zip(former.keys.nodes, former.values) { members[node] = member }
    former.removeAll(keepingRoomFor: 0)
    rows.rollBack()
  }

  private mutating func set(_ member: FilterMember?, _ node: NodeID) {
    former.insert(node, members[node])
    members[node] = member
  }

  /// Changes the count of a member's children that are members.
  private mutating func addChildren(_ change: Int32, to node: NodeID) {
    guard var member = members[node] else { return }
    member.children += change
    set(member, node)
  }

  private mutating func setMatched(_ isMatched: Bool, _ node: NodeID) {
    guard var member = members[node] else { return }
    member.isMatched = isMatched
    set(member, node)
  }

  /// Makes a node and its ancestors members.
  ///
  /// - Complexity: O(nodes that become members).
  mutating func admit(_ node: NodeID, in forest: borrowing Forest<Width>) {
    guard !isMember(node) else { return }
    set(FilterMember(), node)
    gainChild(forest[node].parent, in: forest)
  }

  /// Counts one more child of a node as a member, and makes the node and its ancestors members.
  mutating func gainChild(_ parent: NodeID, in forest: borrowing Forest<Width>) {
    var next = parent
    while next != .forestRoot {
      if isMember(next) {
        return addChildren(1, to: next)
      }
      set(FilterMember(children: 1), next)
      next = forest[next].parent
    }
  }

  /// Subtracts one from a node's count of children that are members.
  ///
  /// The node ceases to be a member if this was the last reason to show it.
  mutating func loseChild(_ parent: NodeID, in forest: borrowing Forest<Width>) {
    guard isMember(parent) else { return }
    addChildren(-1, to: parent)
    dismiss(parent, in: forest)
  }

  /// Removes a node, and then its ancestors, from the members as long as nothing keeps them.
  ///
  /// A node is kept if it matches, has a child that is a member, or is at the top level.
  ///
  /// - Complexity: O(nodes that cease to be members).
  mutating func dismiss(_ node: NodeID, in forest: borrowing Forest<Width>) {
    var next = node
    while let member = members[next], !member.isMatched, member.children == 0 {
      let parent = forest[next].parent
      guard parent != .forestRoot else { return }
      set(nil, next)
      addChildren(-1, to: parent)
      next = parent
    }
  }

  /// Records that a node matches, which makes it a member.
  mutating func match(_ node: NodeID, in forest: borrowing Forest<Width>) {
    admit(node, in: forest)
    setMatched(true, node)
  }

  /// Records that a node no longer matches.
  ///
  /// It stays a member until ``dismiss(_:in:)`` is called.
  mutating func unmatch(_ node: NodeID) { setMatched(false, node) }

  /// Replaces node ids after a compaction.
  ///
  /// - Precondition: No transaction is running.
  mutating func renumber(_ new: NodeRenumbering) {
    members = new.of(members)
    rows.renumber(new)
  }

  /// Removes a node that was removed from the tree.
  ///
  /// The counts of its parent are not changed; see ``loseChild(_:in:)``.
  mutating func forget(_ node: NodeID) {
    if isMember(node) { set(nil, node) }
  }
}

/// The data of a node that a filter shows: a match, an ancestor of one, or a node at the top level.
struct FilterMember: NodeTableValue {
  var isMatched = false
  /// The number of its children that are members.
  var children: Int32 = 0
}

/// The members of a view's former filter, kept until the end of the transaction that set another.
struct FilterBefore: Sendable {
  /// The members; nil if there was no filter.
  var members: NodeTable<FilterMember>?

  /// Returns true if a node matched the former filter; nil if there was none.
  func isMatched(_ node: NodeID) -> Bool? { members.map { $0[node]?.isMatched ?? false } }
}

/// What a filter lets through: the nodes that match and their ancestors, its *members*, and of
/// those the ones that are rows.
///
/// Nodes at the top level are members whatever they match. A member knows how many of its children
/// are members, so that it is known at once when the last reason to show it goes.
struct RowFilter<Width: NodeWidth>: Sendable {
  private(set) var members: NodeTable<FilterMember>
  /// Members that are rows, in pre-order.
  var rows = RowSequence<Width>([])
  /// The nodes that the running transaction changed here, as they were before.
  private var former = NodeMap<FilterMember?>()

  init(_ members: NodeTable<FilterMember> = NodeTable()) { self.members = members }

  func isMember(_ node: NodeID) -> Bool { members[node] != nil }

  func isMatched(_ node: NodeID) -> Bool { members[node]?.isMatched ?? false }

  func hasMembers(below node: NodeID) -> Bool { members[node]?.children ?? 0 > 0 }

  /// How many siblings of a member are members, itself included: all that are rows where it is one.
  func siblingCount(of node: NodeID, in forest: borrowing Forest<Width>) -> Int {
    let parent = forest[node].parent
    if parent == .forestRoot { return Int(forest[parent].childCount) }
    return Int(members[parent]?.children ?? 0)
  }

  /// The nodes that are members now and were none before the running transaction, or the reverse.
  ///
  /// - Complexity: O(nodes changed).
  var changedNodes: [NodeID] {
    zip(former.keys.nodes, former.values).compactMap { node, member in
      (member != nil) != isMember(node) ? node : nil
    }
  }

  /// Begins another transaction.
  mutating func endTransaction() {
    former.removeAll(keepingRoomFor: 0)
    rows.endTransaction()
  }

  /// Brings back what was here before the running transaction.
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

  /// Changes the number of a member's children that are members.
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

  /// Makes a node a member, and so those above it.
  ///
  /// - Complexity: O(nodes that become members).
  mutating func admit(_ node: NodeID, in forest: borrowing Forest<Width>) {
    guard !isMember(node) else { return }
    set(FilterMember(), node)
    gainChild(forest[node].parent, in: forest)
  }

  /// Takes note that one more child of a node is a member.
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

  /// Takes note that one child less of a node is a member.
  mutating func loseChild(_ parent: NodeID, in forest: borrowing Forest<Width>) {
    guard isMember(parent) else { return }
    addChildren(-1, to: parent)
    dismiss(parent, in: forest)
  }

  /// Ends a node's membership if nothing keeps it, and so that of those above it.
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

  /// Notes that a node matches; it is a member then.
  mutating func match(_ node: NodeID, in forest: borrowing Forest<Width>) {
    admit(node, in: forest)
    setMatched(true, node)
  }

  /// Notes that a node no longer matches; what follows from it is left to ``dismiss(_:in:)``.
  mutating func unmatch(_ node: NodeID) { setMatched(false, node) }

  /// Follows the nodes to their new ids, between transactions.
  mutating func renumber(_ new: NodeRenumbering) {
    members = new.of(members)
    rows.renumber(new)
  }

  /// Lets go of a removed node, whose parent is told by ``loseChild(_:in:)`` or goes, too.
  mutating func forget(_ node: NodeID) {
    if isMember(node) { set(nil, node) }
  }
}

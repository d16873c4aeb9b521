/// What a filter lets through: the nodes that match and their ancestors, its *members*, and of
/// those the ones that are rows.
///
/// Nodes at the top level are members whatever they match. A member knows how many of its children
/// are members, so that it is known at once when the last reason to show it goes.
struct RowFilter<Width: NodeWidth>: Sendable {
  private(set) var members: NodeTable<FilterMember>
  /// Members that are rows, in pre-order.
  var rows = RowSequence<Width>([])
  /// Whether nodes whose membership changed were members before, until ``forgetChanges()``.
  private(set) var wasMember: [NodeID: Bool] = [:]

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

  mutating func forgetChanges() { wasMember = [:] }

  private mutating func set(_ member: FilterMember?, _ node: NodeID) {
    let isMember = members[node] != nil
    if isMember != (member != nil), wasMember[node] == nil { wasMember[node] = isMember }
    members[node] = member
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
        members[next]?.children += 1
        return
      }
      set(FilterMember(children: 1), next)
      next = forest[next].parent
    }
  }

  /// Takes note that one child less of a node is a member.
  mutating func loseChild(_ parent: NodeID, in forest: borrowing Forest<Width>) {
    guard isMember(parent) else { return }
    members[parent]?.children -= 1
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
      members[parent]?.children -= 1
      next = parent
    }
  }

  /// Notes that a node matches; it is a member then.
  mutating func match(_ node: NodeID, in forest: borrowing Forest<Width>) {
    admit(node, in: forest)
    members[node]?.isMatched = true
  }

  /// Notes that a node no longer matches; what follows from it is left to ``dismiss(_:in:)``.
  mutating func unmatch(_ node: NodeID) { members[node]?.isMatched = false }

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

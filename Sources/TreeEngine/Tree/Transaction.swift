/// What a running transaction has to remember.
struct Transaction<let fanout: Int>: Sendable {
  /// What undoes one step.
  enum Inverse: Sendable {
    /// A subtree was linked: cut it out and free its nodes.
    case linked(NodeID)
    /// A subtree was cut out for good: put it back.
    case removed(Forest<fanout>.Cutting, parent: NodeID, index: Int, toggled: [[NodeID]])
    /// A subtree was moved: move it back.
    case moved(NodeID, parent: NodeID, index: Int)
    /// An object was replaced.
    case object(NodeID, ByteArena.Slice)
    /// What is known about a node's children changed.
    case childState(NodeID, ChildState)
    /// A node was toggled in a view.
    case toggled(NodeID, view: Int)
    /// A view got another rule, and nothing toggled.
    case rule(View<fanout>, view: Int)
  }

  /// Deletions of more rows than this are not listed by node, where that is safe.
  var listLimit: Int
  var inverses: [Inverse] = []
  /// Readings before the transaction of the nodes it touched.
  var readings: [NodeID: Tree<fanout>.Reading] = [:]
  /// Where moved nodes stood before.
  var origins: [NodeID: (parent: NodeID, index: Int)] = [:]
  /// Roots of the subtrees linked.
  var linked: [NodeID] = []
  /// Nodes made by this transaction.
  var made: Set<NodeID> = []
}

/// The nodes that transactions made, changed, moved and removed: all that the layer of a view has
/// to know to follow them.
struct DataChanges<Width: NodeWidth>: Sendable {
  /// The nodes that were made or read differently.
  private(set) var touched = NodeSet()
  /// The nodes that were removed.
  private(set) var removed: [NodeID] = []
  /// The roots of subtrees that moved.
  private(set) var moved: [NodeID] = []
  /// The nodes whose children got another order.
  private(set) var arranged: [NodeID] = []
  /// Nodes that were there before and were taken out of their parents' children, with the parents
  /// that they had at first.
  private(set) var sources: [(node: NodeID, parent: NodeID)] = []
  /// True if a node has got the id of one that was removed before.
  private(set) var isVoid = false

  private var known: Set<NodeID> = []
  private var freed: Set<NodeID> = []

  /// The number of nodes named.
  var count: Int { touched.nodes.count + removed.count + moved.count + arranged.count }

  /// Adds what a transaction did, before the nodes that it removed are let go of.
  ///
  /// - Complexity: O(nodes named).
  mutating func add(_ transaction: Transaction<Width>, in forest: borrowing Forest<Width>) {
    if !freed.isEmpty, transaction.made.contains(where: freed.contains) { isVoid = true }
    known.formUnion(transaction.made)
    touched.insert(transaction.made)
    touched.insert(transaction.readings.keys.nodes)
    for inverse in transaction.inverses {
      if let (node, standing) = inverse.source, known.insert(node).inserted {
        sources.append((node, standing.parent))
      }
      switch inverse {
      case .removed(let cutting, _, _):
        let nodes = forest.nodes(of: cutting)
        removed += nodes
        freed.formUnion(nodes)
      case .moved(let node, _, _): moved.append(node)
      case .arranged(let parent, _): arranged.append(parent)
      case .linked, .object, .childState, .toggled, .toggledAside, .selected, .rule, .views: break
      }
    }
  }
}

/// Has a tree record what changes its data as long as somebody holds it.
public final class ChangeWatch: Sendable {}

/// The changes of a tree's data since a moment.
struct ChangeRecord<Width: NodeWidth>: Sendable {
  /// Names the moment; nil when nobody wants to know any more.
  private(set) weak var watch: ChangeWatch?
  private(set) var changes = DataChanges<Width>()

  init(for watch: ChangeWatch) { self.watch = watch }

  /// The most nodes that are recorded; with more, making a layer anew costs less.
  static var maxCount: Int { 20_000 }

  /// True if a layer of that moment can follow.
  var isUsable: Bool { !changes.isVoid && changes.count <= Self.maxCount }

  /// Adds what a transaction did.
  mutating func add(_ transaction: Transaction<Width>, in forest: borrowing Forest<Width>) {
    if isUsable { changes.add(transaction, in: forest) }
  }
}

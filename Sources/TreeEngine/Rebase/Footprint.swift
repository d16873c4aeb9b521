/// The nodes on which a transaction depends, besides those that it changed.
public struct Footprint: Sendable {
  /// The nodes whose subtrees the transaction read.
  public var subtrees: [NodeID] = []
  /// True if it also read the objects there.
  public var readsObjects = false
  /// The nodes that it named, and on whose objects and lists of children it depends.
  public var nodes: Set<NodeID> = []
  /// True if it changed what a view shows or has selected.
  public var changesView = false

  /// Makes an empty footprint.
  public init() {}
}

/// The nodes that a transaction changed or depends on.
public struct TransactionImpact: Sendable {
  let footprint: Footprint
  /// The slot of the view that the transaction changed; nil if it changed none.
  let view: Int?
  /// The nodes whose lists of children, or whose child states, it changed.
  private(set) var parents: Set<NodeID> = []
  /// The nodes to or from which it moved children, or whose children it put in another order.
  private(set) var reordered: Set<NodeID> = []
  /// The nodes whose objects it changed.
  private(set) var written: Set<NodeID> = []

  init<Width>(of transaction: Transaction<Width>, _ footprint: Footprint, view: Int?) {
    self.footprint = footprint
    self.view = view
    for inverse in transaction.inverses {
      switch inverse {
      case .linked(_, _, let at): parents.insert(at.parent)
      case .removed(_, let from, _): parents.insert(from.parent)
      case .moved(_, let from, let to): reordered.formUnion([from.parent, to.parent])
      case .arranged(let parent, _): reordered.insert(parent)
      case .object(let node, _): written.insert(node)
      case .childState(let node, _, _): parents.insert(node)
      case .toggled, .toggledAside, .selected, .rule, .views: break
      }
    }
    parents.formUnion(reordered)
  }

  /// Returns true if the transaction depends on the list of a node's children, or on the node.
  func dependsOnChildren(of node: NodeID) -> Bool {
    parents.contains(node) || footprint.nodes.contains(node)
  }
}

/// The record of a running transaction: the steps to undo it, and the nodes that it touched.
struct Transaction<Width: NodeWidth>: Sendable {
  /// A place among siblings: the parent, and the number of siblings before it.
  struct Place: Sendable {
    var parent: NodeID
    var index: Int
  }

  /// The toggled nodes of one view in a subtree that was cut out.
  struct Untoggled: Sendable {
    /// The index of the view in ``ViewedForest``.
    var slot: Int
    var shown: [NodeID] = []
    /// The nodes toggled in the expansion from before the filter, which is kept aside.
    var aside: [NodeID] = []

    var isEmpty: Bool { shown.isEmpty && aside.isEmpty }
  }

  /// The views that a transaction may have changed.
  struct Reach: Sendable {
    /// The views that operations named.
    private(set) var slots: Set<Int> = []
    /// True for all views with a filter or an order, because nodes changed.
    private(set) var hasLayered = false
    /// True for all views, because nodes were added, removed or moved.
    private(set) var isEveryView = false

    mutating func extendToEveryView() { (isEveryView, hasLayered) = (true, true) }

    mutating func extend(toViewAt slot: Int) {
      if !isEveryView { slots.insert(slot) }
    }

    mutating func extend(to inverse: Inverse) {
      switch inverse {
      case .linked, .removed, .moved, .arranged: extendToEveryView()
      case .object, .childState: hasLayered = true
      case .toggled(_, let slot), .toggledAside(_, let slot), .selected(_, _, let slot),
        .rule(_, let slot), .views(_, _, let slot):
        extend(toViewAt: slot)
      }
    }

    /// Returns true if a view with a filter or an order is concerned.
    func contains(layeredViewAt slot: Int) -> Bool { hasLayered || slots.contains(slot) }
  }

  /// A step of the transaction, with the data to undo it.
  ///
  /// Whole views are stored indirectly, because most steps have none and should be small.
  enum Inverse: Sendable {
    /// Subtrees were linked side by side. The first one's root is given; undone by cutting them
    /// out.
    case linked(NodeID, count: Int32, at: Place)
    /// A subtree was removed; undone by pasting it.
    case removed(Forest<Width>.Cutting, from: Place, toggled: [Untoggled])
    /// A subtree was moved; undone by moving it back.
    case moved(NodeID, from: Place, to: Place)
    /// All children of a node got another order.
    case arranged(NodeID, from: [NodeID])
    /// An object was replaced.
    case object(NodeID, ByteArena.Slice)
    /// The child state or the hint of a node was set.
    case childState(NodeID, ChildState, hint: Int32?)
    /// A node was toggled in a view.
    case toggled(NodeID, view: Int)
    /// A node was toggled in the expansion from before the filter, which is kept aside.
    case toggledAside(NodeID, view: Int)
    /// Nodes were selected (true) or deselected (false) in a view.
    case selected([NodeID], Bool, view: Int)
    /// A view got another rule and lost its toggles.
    indirect case rule(View<Width>, view: Int)
    /// The filter of a view was set, or the rule of the expansion that is kept aside.
    indirect case views(View<Width>, aside: View<Width>?, view: Int)
  }

  /// The maximum number of deleted rows that a step lists by node; longer runs have no list.
  var listLimit = Int.max
  /// The number of removed rows of a view after which further ones are not listed by node.
  var removedLimit = Int.max
  /// The ends of the key and object bytes when the transaction began.
  var keyArena = ByteArena.Mark()
  var objectArena = ByteArena.Mark()
  var inverses: [Inverse] = []
  /// The approximate memory of the lists in the inverses, in bytes.
  var listedBytes = 0
  var reach = Reach()
  /// The former readings of the nodes that the transaction touched.
  var readings = NodeMap<NodeReading>()
  /// The nodes made by the transaction, in order.
  var made: [NodeID] = []
  /// The number of made nodes that are not linked yet.
  var unlinkedCount = 0
  /// The nodes that operations moved.
  ///
  /// If siblings got a new order, as many as possible count as unmoved: those of a longest
  /// subsequence that kept its order.
  var moved = NodeSet()
  /// The number of toggles that were restored because their nodes moved.
  var retoggledCount = 0
  /// The effect on the data that the history keeps, if it was computed before the commit.
  private(set) var past: PastData?

  /// The maximum capacity that each list keeps for the next transaction.
  private static var roomKept: Int { 32 }

  /// Keeps the effect on the data for the commit.
  mutating func keep(_ past: PastData) { self.past = past }

  /// Removes everything, and keeps small capacities.
  mutating func removeAll() {
    inverses.removeAll(keepingRoomFor: Self.roomKept)
    listedBytes = 0
    reach = Reach()
    readings.removeAll(keepingRoomFor: Self.roomKept)
    made.removeAll(keepingRoomFor: Self.roomKept)
    moved.removeAll(keepingRoomFor: Self.roomKept)
    unlinkedCount = 0
    retoggledCount = 0
    past = nil
  }
}

extension Transaction.Inverse {
  /// The node that a step took from its parent's children, and its former place.
  var source: (node: NodeID, place: Transaction.Place)? {
    switch self {
    case .removed(let cutting, let from, _): (cutting.node, from)
    case .moved(let node, let from, _): (node, from)
    case .linked, .arranged, .object, .childState: nil
    case .toggled, .toggledAside, .selected, .rule, .views: nil
    }
  }

  /// True if a step made, moved, removed or updated nodes.
  var changesNodes: Bool {
    switch self {
    case .linked, .removed, .moved, .arranged, .object: true
    case .childState, .toggled, .toggledAside, .selected, .rule, .views: false
    }
  }

  /// The place where a step put nodes, and the number of nodes put side by side there.
  var target: (place: Transaction.Place, count: Int32)? {
    switch self {
    case .linked(_, let count, let at): (at, count)
    case .moved(_, _, let to): (to, 1)
    case .removed, .arranged, .object, .childState: nil
    case .toggled, .toggledAside, .selected, .rule, .views: nil
    }
  }
}

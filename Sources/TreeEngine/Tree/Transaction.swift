/// What a running transaction has to remember.
struct Transaction<Width: NodeWidth>: Sendable {
  /// Where a node stands: how many siblings are before it, itself not counted.
  struct Standing: Sendable {
    var parent: NodeID
    var index: Int
  }

  /// What was toggled, in one view, in a subtree that was cut out.
  struct Untoggled: Sendable {
    /// Which view.
    var slot: Int
    var shown: [NodeID] = []
    /// In the expansion that a filter keeps aside.
    var aside: [NodeID] = []

    var isEmpty: Bool { shown.isEmpty && aside.isEmpty }
  }

  /// Which views a transaction concerns, besides those with filter or order.
  enum Reach: Sendable {
    case views(Set<Int>)
    /// Nodes came, went or moved.
    case everyView

    mutating func extendToEveryView() { self = .everyView }

    mutating func extend(to inverse: Inverse) {
      guard case .views(var slots) = self else { return }
      switch inverse {
      case .linked, .removed, .moved, .arranged: self = .everyView
      case .object, .childState: break
      case .toggled(_, let slot), .toggledAside(_, let slot), .selected(_, _, let slot),
        .rule(_, let slot), .views(_, _, let slot):
        self = .views([])
        slots.insert(slot)
        self = .views(slots)
      }
    }
  }

  /// What undoes one step.
  ///
  /// Whole views lie elsewhere, so that the many steps that have none are small.
  enum Inverse: Sendable {
    /// Subtrees were linked side by side, of which this is the first one's root: cut them out.
    case linked(NodeID, count: Int32, at: Standing)
    /// A subtree was cut out for good: put it back.
    case removed(Forest<Width>.Cutting, from: Standing, toggled: [Untoggled])
    /// A subtree was moved: move it back.
    case moved(NodeID, from: Standing, to: Standing)
    /// All children of a node were given another order.
    case arranged(NodeID, from: [NodeID])
    /// An object was replaced.
    case object(NodeID, ByteArena.Slice)
    /// What is known about a node's children changed.
    case childState(NodeID, ChildState, hint: Int32?)
    /// A node was toggled in a view.
    case toggled(NodeID, view: Int)
    /// A node was toggled in the expansion that a filter keeps aside.
    case toggledAside(NodeID, view: Int)
    /// Nodes were selected in a view (or deselected), which they were not before (or were).
    case selected([NodeID], Bool, view: Int)
    /// A view got another rule, and nothing toggled.
    indirect case rule(View<Width>, view: Int)
    /// A view was filtered or not, or its expansion without the filter got another rule.
    indirect case views(View<Width>, aside: View<Width>?, view: Int)
  }

  /// Deletions of more rows than this are not listed by node, where that is safe.
  var listLimit = Int.max
  /// Once removals took more rows than this from a view, theirs are not listed either.
  var removedLimit = Int.max
  /// The bytes of keys and objects as they were before.
  var keyArena = ByteArena.Mark()
  var objectArena = ByteArena.Mark()
  var inverses: [Inverse] = []
  /// About how many bytes the lists of the inverses take.
  var listedBytes = 0
  var reach = Reach.views([])
  /// Readings before the transaction of the nodes it touched.
  var readings = NodeMap<SizedTree<Width>.Reading>()
  /// Nodes made by this transaction, in the order of their making.
  var made: [NodeID] = []
  /// The number of made nodes that are not linked yet.
  var unlinkedCount = 0
  /// The nodes that operations moved.
  ///
  /// Of siblings in a new order, those outside a longest subsequence that kept its order.
  var moved = NodeSet()
  /// How many toggled nodes were toggled again in a view because they moved.
  var retoggledCount = 0

  /// Of what a transaction remembers, room for so much stays for the next one.
  private static var roomKept: Int { 32 }

  /// Forgets everything, but not the room for a few things.
  mutating func removeAll() {
    inverses.removeAll(keepingRoomFor: Self.roomKept)
    listedBytes = 0
    reach = .views([])
    readings.removeAll(keepingRoomFor: Self.roomKept)
    made.removeAll(keepingRoomFor: Self.roomKept)
    moved.removeAll(keepingRoomFor: Self.roomKept)
    unlinkedCount = 0
    retoggledCount = 0
  }
}

extension Transaction.Inverse {
  /// The node that a step took out of its parent's children, and from where.
  var source: (node: NodeID, standing: Transaction.Standing)? {
    switch self {
    case .removed(let cutting, let from, _): (cutting.node, from)
    case .moved(let node, let from, _): (node, from)
    case .linked, .arranged, .object, .childState: nil
    case .toggled, .toggledAside, .selected, .rule, .views: nil
    }
  }

  /// Where a step put nodes, and how many side by side.
  var target: (standing: Transaction.Standing, count: Int32)? {
    switch self {
    case .linked(_, let count, let at): (at, count)
    case .moved(_, _, let to): (to, 1)
    case .removed, .arranged, .object, .childState: nil
    case .toggled, .toggledAside, .selected, .rule, .views: nil
    }
  }
}

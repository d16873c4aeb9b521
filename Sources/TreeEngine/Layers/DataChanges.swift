/// The nodes that transactions made, changed, moved and removed, from which layers are updated.
struct DataChanges<Width: NodeWidth>: Sendable {
  /// The nodes that were made, or whose data changed.
  private(set) var touched = NodeSet()
  /// The nodes that were removed.
  private(set) var removed: [NodeID] = []
  /// The roots of subtrees that moved.
  private(set) var moved: [NodeID] = []
  /// The nodes whose children got another order.
  private(set) var arranged: [NodeID] = []
  /// Nodes that existed before the changes and were moved or removed, with their parents then.
  private(set) var sources: [(node: NodeID, parent: NodeID)] = []
  /// True if the changes are unusable: an id is ambiguous, or an ordering was sorted anew.
  ///
  /// An id is ambiguous if a new node has the id of a removed one.
  private(set) var isVoid = false

  private var known: Set<NodeID> = []
  private var freed: Set<NodeID> = []

  /// The number of nodes in the lists, without ``sources``.
  var count: Int { touched.nodes.count + removed.count + moved.count + arranged.count }

  /// Marks the changes as unusable; see ``isVoid``.
  mutating func void() { isVoid = true }

  /// Adds the changes of a transaction.
  ///
  /// - Precondition: The nodes that it removed are not freed yet.
  /// - Complexity: O(nodes named).
  mutating func add(_ transaction: Transaction<Width>, in forest: borrowing Forest<Width>) {
    if !freed.isEmpty, transaction.made.contains(where: freed.contains) { isVoid = true }
    known.formUnion(transaction.made)
    touched.insert(transaction.made)
    touched.insert(transaction.readings.keys.nodes)
    for inverse in transaction.inverses {
      if let (node, place) = inverse.source, known.insert(node).inserted {
        sources.append((node, place.parent))
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

/// An object that makes a tree record the changes of its data as long as the object is referenced.
public final class ChangeWatch: Sendable {}

/// The changes of a tree's data since a moment.
struct ChangeRecord<Width: NodeWidth>: Sendable {
  /// The object that identifies the moment; nil once it is no longer referenced.
  private(set) weak var watch: ChangeWatch?
  private(set) var changes = DataChanges<Width>()
  /// The nodes that got another place in orderings.
  private(set) var displaced: [OrderingID: NodeSet] = [:]

  init(for watch: ChangeWatch) { self.watch = watch }

  /// The maximum number of recorded nodes, above which making a layer anew is cheaper.
  static var maxCount: Int { 20_000 }

  /// True if a layer that was made at that moment can be updated by the changes.
  var isUsable: Bool { !changes.isVoid && changes.count <= Self.maxCount }

  /// Returns true if a layer that was made at that moment can be updated, and is not better made
  /// anew.
  ///
  /// - Complexity: O(*k* log *n*) for *k* nodes moved.
  func canBeFollowed(in forest: borrowing Forest<Width>) -> Bool {
    guard isUsable else { return false }
    var size = 0
    for node in changes.moved + changes.arranged
    where node == .forestRoot || forest.isAttached(node) {
      size += forest.subtreeSize(of: node)
      if size > Self.maxCount { return false }
    }
    return true
  }

  /// Adds the changes of a transaction, unless the changes are unusable already.
  mutating func add(
    _ transaction: Transaction<Width>,
    in forest: borrowing Forest<Width>,
    displacedIn orderings: [Ordering<Width>]
  ) {
    guard isUsable else { return }
    changes.add(transaction, in: forest)
    for ordering in orderings {
      // After a new sort, nearly every node may have another place.
      if ordering.isRebuilt { changes.void() }
      displaced[ordering.id, default: NodeSet()].insert(ordering.displaced.nodes)
    }
  }
}

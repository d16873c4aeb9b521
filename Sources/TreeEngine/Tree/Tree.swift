/// A tree and the views of it: the engine's one public face.
///
/// The data is an ordered forest of nodes with keys and opaque objects; a *view* is what one client
/// has expanded of it, and so which nodes are *rows*. All mutations happen inside a transaction,
/// which keeps for each view the net difference of its rows and, for the tree, what undoes it:
///
/// ```swift
/// var tree = Tree<64>()
/// let view = tree.addView(rule: .all)
/// tree.begin()
/// try tree.insert([NewNode(key: 0..<1, object: 1..<3, depth: 0, childState: .leaf)],
///   bytes: Array("a42".utf8), under: .forestRoot, at: 0)
/// let changes = tree.changes(of: view)  // one insertion at row 0
/// tree.commit()                         // or tree.rollback()
/// ```
///
/// Every operation is O(log *n*) in the nodes plus what it names, whatever the shape of the tree.
/// The engine knows no clock, lock or file, and imports nothing.
public struct Tree<let fanout: Int>: ~Copyable {
  /// Names a view of one tree.
  public struct ViewID: Hashable, Sendable {
    let slot: Int
  }

  /// A view, and what a running transaction has done to it.
  struct Watcher: Sendable {
    var view: View<fanout>
    var delta = RowDelta<fanout>(rowCount: 0)
    /// Expansion before the transaction of the nodes it touched.
    var expandedBefore: [NodeID: Bool] = [:]
    /// The view as it was before its rule changed in this transaction.
    var viewBefore: View<fanout>?
    /// Nodes that the transaction expanded although nobody supplied their children.
    var expandedUnloaded: [NodeID] = []
    /// Expansion of some node was changed, whatever it is in the end.
    var isTouched = false
  }

  /// What a node read before the transaction touched it.
  struct Reading: Equatable, Sendable {
    var object: ByteArena.Slice
    var childState: ChildState
    var childCount: Int32
  }

  var forest = Forest<fanout>()
  var watchers: [Watcher?] = []
  /// Level indexes and how many views use each, by the levels of their rule.
  var indexes: [Int32: (index: LevelIndex<fanout>, users: Int)] = [:]
  var transaction: Transaction<fanout>?
  /// Nodes that are `unloaded`, so that nobody looks for them in vain.
  var unloadedCount = 0
  /// The deepest depth a node may have; a root's is 0.
  public var maxDepth: Int

  /// Creates an empty tree.
  ///
  /// - Parameter maxDepth: the deepest depth a node may have; a root's is 0.
  public init(maxDepth: Int = 100_000) { self.maxDepth = maxDepth }

  /// How many nodes the tree holds.
  public var nodeCount: Int { forest.nodeCount }

  /// Bytes of keys and objects held, garbage not yet compacted included.
  public var byteCount: Int { forest.keyArena.bytes.count + forest.objectArena.bytes.count }

  // MARK: Views

  /// Adds a view in which nothing is toggled.
  ///
  /// - Precondition: no transaction is running.
  /// - Complexity: O(log *n*); O(*k*) for the first view with a rule of *levels* that shows *k* nodes.
  public mutating func addView(rule: ExpansionRule) -> ViewID {
    precondition(transaction == nil, "views come and go between transactions")
    retainIndex(for: rule)
    let watcher = Watcher(view: View(rule: rule, of: forest, index(for: rule)))
    if let slot = watchers.firstIndex(where: { $0 == nil }) {
      watchers[slot] = watcher
      return ViewID(slot: slot)
    }
    watchers.append(watcher)
    return ViewID(slot: watchers.count - 1)
  }

  /// Removes a view.
  ///
  /// - Precondition: no transaction is running.
  /// - Complexity: O(1).
  public mutating func removeView(_ id: ViewID) {
    precondition(transaction == nil, "views come and go between transactions")
    releaseIndex(for: view(id).rule)
    watchers[id.slot] = nil
  }

  func view(_ id: ViewID) -> View<fanout> {
    guard let watcher = watchers[id.slot] else { preconditionFailure("the view was removed") }
    return watcher.view
  }

  // MARK: Level indexes

  /// The index that a rule needs; nil where the forest's own counts do.
  func index(for rule: ExpansionRule) -> LevelIndex<fanout>? {
    guard case .levels(let levels) = rule, levels > 0 else { return nil }
    return indexes[levels]?.index
  }

  mutating func retainIndex(for rule: ExpansionRule) {
    guard case .levels(let levels) = rule, levels > 0 else { return }
    let index = indexes[levels]?.index ?? LevelIndex(deepest: levels + 1, of: forest)
    indexes[levels] = (index, (indexes[levels]?.users ?? 0) + 1)
  }

  mutating func releaseIndex(for rule: ExpansionRule) {
    guard case .levels(let levels) = rule, levels > 0, let (index, users) = indexes[levels] else {
      return
    }
    indexes[levels] = users > 1 ? (index, users - 1) : nil
  }
}

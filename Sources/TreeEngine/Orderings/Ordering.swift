private import Synchronization

/// All nodes of a tree, with siblings in an order other than the tree's own.
///
/// It is a second sequence of the same nodes. Each node has the same parent and depth in both. All
/// views in this order share it: they compare places in it, and sort nothing themselves.
struct Ordering<Width: NodeWidth>: Sendable {
  /// A step that can be taken back.
  private enum Edit: Sendable {
    case cut(NodeID, from: Transaction<Width>.Standing)
    case pasted(NodeID)
  }

  let id: OrderingID
  /// The nodes in order.
  let nodes: OrderedNodes<Width>
  /// True if the running transaction added it.
  var isNew = true
  /// The number of steps of the running transaction that it has followed.
  var followedSteps = 0
  /// The nodes that the running transaction gave another place, alone or with what is below them.
  private(set) var displaced = NodeSet()
  /// The nodes before the running transaction; nil unless that transaction replaced them all.
  private var former: OrderedNodes<Width>?
  private var edits: [Edit] = []
  /// The subtrees that are cut out, by their roots.
  private var pieces: [NodeID: Forest<Width>.Cutting] = [:]

  init(_ id: OrderingID, _ nodes: OrderedNodes<Width>) {
    self.id = id
    self.nodes = nodes
  }

  /// The bytes that it takes.
  ///
  /// - Complexity: O(1).
  var byteCount: Int { nodes.read { $0.structureBytes } }

  /// Returns a copy that shares its memory, each chunk until one of the two changes it.
  ///
  /// - Complexity: O(1).
  func fork() -> Ordering {
    var copy = named(id)
    copy.isNew = false
    return copy
  }

  /// Returns the same under another name.
  func named(_ id: OrderingID) -> Ordering { Ordering(id, OrderedNodes(sharing: nodes)) }

  /// Returns true if the node is in the sequence and not cut out of it.
  ///
  /// - Complexity: O(log *n*).
  func contains(_ node: NodeID) -> Bool { nodes.read { $0.isAttached(node) } }

  /// The parent of a node here, which a transaction may have changed in the tree.
  func parent(of node: NodeID) -> NodeID { nodes.read { $0[node].parent } }

  /// The index of a node in pre-order.
  ///
  /// - Complexity: O(log *n*).
  func position(of node: NodeID) -> Int32 { nodes.read { $0.place(of: node).position } }

  /// The number of siblings before a node.
  ///
  /// - Complexity: O(log *n*).
  func childPosition(of node: NodeID) -> Int {
    nodes.read { $0.childPosition(of: $0.place(of: node)) }
  }

  /// The number of children of a node.
  func childCount(of node: NodeID) -> Int { nodes.read { Int($0[node].childCount) } }

  /// Returns the place of a node.
  ///
  /// - Complexity: O(log *n*).
  func place(of node: NodeID) -> Forest<Width>.Place { nodes.read { $0.place(of: node) } }

  /// Returns the child with an index of the node at a place.
  ///
  /// - Complexity: O(log *n*).
  func child(_ index: Int, of place: Forest<Width>.Place) -> NodeID {
    nodes.read { $0.node(at: $0.child(index, of: place)) }
  }

  /// Returns the children of a node that stand before and behind a child.
  ///
  /// - Complexity: O(log *n*).
  func neighbours(of node: NodeID) -> (before: NodeID?, behind: NodeID?) {
    nodes.read { forest in
      let place = forest.place(of: node)
      let following = forest.subtree(at: place).following
      let behind = following.flatMap { $0.depth == place.depth ? forest.node(at: $0) : nil }
      let index = forest.childPosition(of: place)
      guard index > 0 else { return (nil, behind) }
      let parent = forest.place(of: forest[node].parent)
      return (forest.node(at: forest.child(index - 1, of: parent)), behind)
    }
  }

  // MARK: Changes

  /// Cuts a node out, with everything that is below it here.
  ///
  /// - Complexity: O(log *n*).
  mutating func cut(_ node: NodeID) {
    let parent = parent(of: node)
    let index = extract(node)
    edits.append(.cut(node, from: .init(parent: parent, index: index)))
  }

  /// Puts in a node that was cut out, with everything that was below it, or one that is new.
  ///
  /// - Complexity: O(log *n*).
  mutating func paste(_ node: NodeID, under parent: NodeID, at index: Int) {
    if pieces[node] != nil { displaced.insert(node) } else { nodes.makeRoom(for: node) }
    edits.append(.pasted(node))
    putIn(node, under: parent, at: index)
  }

  /// True if the running transaction sorted everything anew.
  var isRebuilt: Bool { former != nil }

  /// The roots of the subtrees that are cut out.
  var cutNodes: some Sequence<NodeID> { pieces.keys }

  /// Replaces everything.
  mutating func replace(by other: OrderedNodes<Width>) {
    let (steps, isNew) = (followedSteps, isNew)
    rollBack()
    let former = nodes
    self = Ordering(id, other)
    self.former = former
    self.isNew = isNew
    followedSteps = steps
  }

  private mutating func extract(_ node: NodeID) -> Int {
    let (piece, index) = nodes.change { forest in
      let place = forest.place(of: node)
      let index = forest.childPosition(of: place)
      return (forest.cut(forest.subtree(at: place)), index)
    }
    pieces[node] = piece
    return index
  }

  private mutating func putIn(_ node: NodeID, under parent: NodeID, at index: Int) {
    let piece = pieces.removeValue(forKey: node)
    let cutting = piece ?? Forest.Cutting(node: node, root: nil, size: 1)
    nodes.change { forest in
      let opening = forest.opening(under: parent, at: index)
      forest.paste(cutting, at: opening)
    }
  }

  /// Ends the transaction.
  mutating func endTransaction() {
    for piece in pieces.values { nodes.change { $0.release(piece) } }
    pieces = [:]
    edits = []
    displaced = NodeSet()
    former = nil
    isNew = false
    followedSteps = 0
  }

  /// Takes back what the running transaction changed.
  ///
  /// - Complexity: O(changes · log *n*).
  mutating func rollBack() {
    if let former {
      self = Ordering(id, former)
      isNew = false
      return
    }
    for edit in edits.reversed() {
      switch edit {
      case .pasted(let node): _ = extract(node)
      case .cut(let node, let from): putIn(node, under: from.parent, at: from.index)
      }
    }
    edits = []
    // These are nodes that the transaction made.
    pieces = [:]
    displaced = NodeSet()
    followedSteps = 0
  }

  /// Follows the nodes to their new ids, between transactions.
  ///
  /// - Complexity: O(*n*).
  mutating func renumber(_ new: NodeRenumbering, of count: Int) {
    let run = nodes.read { forest in
      var run: [(node: NodeID, depth: Int32)] = []
      run.reserveCapacity(forest.nodeCount)
      var next = forest.next(forest.place(at: 0))
      while let place = next {
        run.append((new.of(forest.node(at: place)), place.depth - 1))
        next = forest.next(place)
      }
      return run
    }
    self = Ordering(id, OrderedNodes(run, of: count))
    isNew = false
  }
}

/// The nodes of an ``Ordering``: a forest without keys and objects.
///
/// A reference, because a tree has any number of them. No two trees share one, so nobody ever waits
/// for its lock.
final class OrderedNodes<Width: NodeWidth>: Sendable {
  private let forest: Mutex<Forest<Width>>

  /// Makes the nodes out of a run in pre-order.
  ///
  /// - Parameters:
  ///   - run: The nodes with their depths, which are 0 at the top level.
  ///   - count: The number of node ids in use.
  ///   - pass: Counts the steps.
  /// - Complexity: O(*n*).
  init(
    _ run: [(node: NodeID, depth: Int32)],
    of count: Int,
    passing pass: (Int) -> Void = { _ in }
  ) {
    var forest = Forest<Width>()
    while forest.records.count < count { forest.records.append(NodeRecord(childState: .loaded)) }
    if !run.isEmpty {
      forest.link(run, at: forest.opening(under: .forestRoot, at: 0), passing: pass)
    }
    self.forest = Mutex(forest)
  }

  fileprivate init(sharing other: OrderedNodes) {
    forest = Mutex(other.forest.withLock { Forest(sharing: $0) })
  }

  /// Reads the forest.
  ///
  /// - Precondition: `body` does not use these nodes by another way.
  func read<Value: Sendable>(_ body: (borrowing Forest<Width>) -> Value) -> Value {
    forest.withLock { body($0) }
  }

  /// Changes the forest.
  ///
  /// - Precondition: `body` does not use these nodes by another way.
  fileprivate func change<Value: Sendable>(_ body: (inout Forest<Width>) -> Value) -> Value {
    forest.withLock { body(&$0) }
  }

  /// All nodes in order.
  var sequence: [NodeID] {
    read { forest in
      forest.nodes(
        of: Forest.Cutting(node: .forestRoot, root: forest.root, size: forest.entryCount)
      )
    }
  }

  /// Recomputes what the sequence stores; for tests.
  func checkInvariants() {
    read { forest in
      forest.sequence.checkInvariants(of: forest.root)
      precondition(forest.sequence.summary(of: forest.root).count == forest.entryCount)
    }
  }

  /// Prepares the record of a node that is new.
  fileprivate func makeRoom(for node: NodeID) {
    change { forest in
      while forest.records.count <= node.offset {
        forest.records.append(NodeRecord(childState: .loaded))
      }
      forest[node] = NodeRecord(childState: .loaded)
    }
  }
}

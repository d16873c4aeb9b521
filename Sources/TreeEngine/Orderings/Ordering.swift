private import Synchronization

/// All nodes of a tree, with siblings in an order other than the tree's own.
///
/// It is a second sequence of the same nodes, which have the same parents and depths in both. All
/// views in this order share it: they compare places in it, and sort nothing themselves.
struct Ordering<Width: NodeWidth>: Sendable {
  /// A change that can be undone.
  private enum Edit: Sendable {
    case cut(NodeID, from: Transaction<Width>.Place)
    case pasted(NodeID)
  }

  let id: OrderingID
  /// The nodes in order.
  let nodes: OrderedNodes<Width>
  /// True if the running transaction added it.
  var isNew = true
  /// The number of steps of the running transaction that are applied here.
  var followedSteps = 0
  /// The nodes whose place the running transaction changed, with or without their subtrees.
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

  /// The memory in bytes.
  ///
  /// - Complexity: O(1).
  var byteCount: Int { nodes.read { $0.structureBytes } }

  /// Returns a copy that shares each chunk of memory until one of the two changes it.
  ///
  /// - Complexity: O(1).
  func fork() -> Ordering {
    var copy = named(id)
    copy.isNew = false
    return copy
  }

  /// Returns a copy with another name that shares the nodes.
  func named(_ id: OrderingID) -> Ordering { Ordering(id, OrderedNodes(sharing: nodes)) }

  /// Returns true if the node is in the sequence and not cut out of it.
  ///
  /// - Complexity: O(log *n*).
  func contains(_ node: NodeID) -> Bool { nodes.read { $0.isAttached(node) } }

  /// Returns the parent of a node here.
  ///
  /// The tree may have another one until the next update.
  func parent(of node: NodeID) -> NodeID { nodes.read { $0[node].parent } }

  /// Returns the index of a node in pre-order.
  ///
  /// - Complexity: O(log *n*).
  func position(of node: NodeID) -> Int32 { nodes.read { $0.place(of: node).position } }

  /// Returns the number of siblings before a node.
  ///
  /// - Complexity: O(log *n*).
  func childPosition(of node: NodeID) -> Int {
    nodes.read { $0.childPosition(of: $0.place(of: node)) }
  }

  /// Returns the number of children of a node.
  func childCount(of node: NodeID) -> Int { nodes.read { Int($0[node].childCount) } }

  /// Returns the place of a node.
  ///
  /// - Complexity: O(log *n*).
  func place(of node: NodeID) -> Forest<Width>.Place { nodes.read { $0.place(of: node) } }

  /// Returns the child at an index of the node at a place.
  ///
  /// - Complexity: O(log *n*).
  func child(_ index: Int, of place: Forest<Width>.Place) -> NodeID {
    nodes.read { $0.node(at: $0.child(index, of: place)) }
  }

  /// Returns the siblings directly before and behind a node.
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

  /// Cuts out the subtree that a node has here.
  ///
  /// - Complexity: O(log *n*).
  mutating func cut(_ node: NodeID) {
    let parent = parent(of: node)
    let index = extract(node)
    edits.append(.cut(node, from: .init(parent: parent, index: index)))
  }

  /// Inserts a subtree that was cut out, or a new node.
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

  /// Replaces all nodes.
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

  /// Undoes the changes of the running transaction.
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
    // Only nodes that the transaction made are still cut out.
    pieces = [:]
    displaced = NodeSet()
    followedSteps = 0
  }

  /// Replaces node ids after a compaction, between transactions.
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
/// A class, because a tree keeps its orderings in an array, and a forest is not copyable. No two
/// trees share an instance, so no thread waits for its lock.
final class OrderedNodes<Width: NodeWidth>: Sendable {
  private let forest: Mutex<Forest<Width>>

  /// Creates the forest from nodes in pre-order.
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
  /// - Precondition: `body` does not use these nodes in any other way.
  func read<Value: Sendable>(_ body: (borrowing Forest<Width>) -> Value) -> Value {
    forest.withLock { body($0) }
  }

  /// Changes the forest.
  ///
  /// - Precondition: `body` does not use these nodes in any other way.
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

  /// Recomputes the stored values and compares them; for tests.
  func checkInvariants() {
    read { forest in
      forest.sequence.checkInvariants(of: forest.root)
      precondition(forest.sequence.summary(of: forest.root).count == forest.entryCount)
    }
  }

  /// Adds records up to that of a new node.
  fileprivate func makeRoom(for node: NodeID) {
    change { forest in
      while forest.records.count <= node.offset {
        forest.records.append(NodeRecord(childState: .loaded))
      }
      forest[node] = NodeRecord(childState: .loaded)
    }
  }
}

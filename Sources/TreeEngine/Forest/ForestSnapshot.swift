/// All nodes of a tree as they were at one moment, to be read while the tree goes on.
///
/// Shares the tree's arrays: taking a snapshot costs nothing, and each change that comes first to a
/// chunk a copy of that chunk, as long as the snapshot is held.
public struct ForestSnapshot<Width: NodeWidth>: Sendable {
  /// A node in a snapshot.
  public struct Node: Equatable, Sendable {
    /// Its key.
    public var key: ArraySlice<UInt8>
    /// Its parent's key; nil at a root.
    public var parentKey: ArraySlice<UInt8>?
    /// Its depth; 0 at a root.
    public var depth: Int
    /// What is known about its children.
    public var childState: ChildState
    /// How many children it has.
    public var childCount: Int
    /// How many children it is said to have, while nobody supplied them.
    public var hint: Int?
    /// Its object; no bytes at all stand for `null`.
    public var object: ArraySlice<UInt8>
  }

  /// How many nodes there are.
  public let nodeCount: Int

  private let sequence: Forest<Width>.Sequence
  private let root: Forest<Width>.Sequence.Root
  private let records: ChunkedArray<NodeRecord, Width>
  private let hints: NodeTable<Int32>
  private let keyArena: ByteArena
  private let objectArena: ByteArena
  private let loan: Loan

  init(of forest: borrowing Forest<Width>) {
    nodeCount = forest.nodeCount
    sequence = forest.sequence
    root = forest.root
    records = forest.records
    hints = forest.hints
    keyArena = forest.keyArena
    objectArena = forest.objectArena
    loan = forest.loan
  }

  /// Begins a walk over all nodes.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func makeWalk() -> Walk { Walk(self) }

  /// A way through all nodes in pre-order.
  public struct Walk: Sendable {
    private let snapshot: ForestSnapshot
    private var leaf: Int32?
    private var slot = 0
    /// The nodes from the forest root down to the one that was last.
    private var path: [NodeID] = []
    private var depth = 0

    fileprivate init(_ snapshot: ForestSnapshot) {
      self.snapshot = snapshot
      leaf = snapshot.sequence.locate(0, in: snapshot.root).leaf
      // The forest root is no node to be shown.
      advance()
    }

    /// The next nodes, up to `limit` of them; none at the end.
    ///
    /// - Complexity: O(limit) on average over a walk.
    @specialized(where Width == Fanout<64>)
    public mutating func next(limit: Int) -> [Node] {
      var nodes: [Node] = []
      while nodes.count < limit, let entry = current {
        advance()
        let parent = depth == 1 ? nil : path[depth - 1]
        nodes.append(snapshot.node(entry.node, depth: depth - 1, parent: parent))
      }
      return nodes
    }

    private var current: Forest<Width>.Entry? { leaf.map { snapshot.sequence[$0, slot] } }

    private mutating func advance() {
      guard let leaf, let entry = current else { return }
      depth += Int(entry.step)
      path.removeLast(path.count - depth)
      path.append(entry.node)
      slot += 1
      if slot == snapshot.sequence.count(ofLeaf: leaf) {
        self.leaf = snapshot.sequence.leaf(after: leaf)
        slot = 0
      }
    }
  }

  private func node(_ node: NodeID, depth: Int, parent: NodeID?) -> Node {
    Node(
      key: keyArena.span(records[node.offset].key),
      parentKey: parent.map { keyArena.span(records[$0.offset].key) },
      depth: depth,
      childState: records[node.offset].childState,
      childCount: Int(records[node.offset].childCount),
      hint: hints[node].map { Int($0) },
      object: objectArena.span(records[node.offset].object)
    )
  }
}

extension SizedTree {
  /// All nodes as they are now, to be read while the tree goes on.
  ///
  /// - Precondition: no transaction is running.
  /// - Complexity: O(1); the first change of a chunk after it copies that chunk.
  @specialized(where Width == Fanout<64>)
  public func snapshot() -> ForestSnapshot<Width> {
    precondition(transaction == nil, "a transaction is running")
    return ForestSnapshot(of: forest)
  }
}

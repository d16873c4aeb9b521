/// A snapshot of all nodes of a tree, which can be read while the tree changes.
///
/// It shares the tree's arrays, so taking it costs nothing. While it is held, the first change of a
/// chunk copies the chunk.
public struct ForestSnapshot<Width: NodeWidth>: Sendable {
  /// A node in a snapshot.
  public struct Node: Equatable, Sendable {
    /// The key.
    public var key: ArraySlice<UInt8>
    /// The parent's key, or nil for a root.
    public var parentKey: ArraySlice<UInt8>?
    /// The depth.
    ///
    /// A root has 0.
    public var depth: Int
    /// The state of the children.
    public var childState: ChildState
    /// The number of children that were supplied.
    public var childCount: Int
    /// The expected number of children, if they were not supplied yet.
    public var hint: Int?
    /// The object.
    ///
    /// An empty slice stands for `null`.
    public var object: ArraySlice<UInt8>
  }

  /// The number of nodes.
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

  /// A walk through all nodes in pre-order.
  public struct Walk: Sendable {
    private let snapshot: ForestSnapshot
    private var leaf: Int32?
    private var slot = 0
    /// The nodes from the forest root down to the last node.
    private var path: [NodeID] = []
    private var depth = 0

    fileprivate init(_ snapshot: ForestSnapshot) {
      self.snapshot = snapshot
      leaf = snapshot.sequence.locate(0, in: snapshot.root).leaf
      // The forest root is not a node of the snapshot.
      advance()
    }

    /// Returns the next nodes, at most `limit`; none at the end.
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

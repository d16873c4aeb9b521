import TreeDomain
import TreeEngine

/// The state of one `setChildren`: the given nodes, those that exist already, and those to remove.
///
/// Parents come before children. Each given list is put in place under its parent: new nodes are
/// inserted, and kept ones are moved if necessary. Former children that are not given are removed
/// last, after every kept node has left them.
struct ChildrenDiff {
  let batch: Batch
  let nodes: Range<Int>
  /// The former children.
  ///
  /// The ones that are not kept are removed.
  var former: [NodeID] = []
  /// The new child states of kept nodes.
  private(set) var states: [(node: NodeID, state: (state: ChildState, hint: Int32?))] = []
  /// The existing nodes that keep their descendants, with their former depth, by given node.
  ///
  /// The request says nothing about their children.
  private(set) var wholes: [Int: (node: NodeID, depth: Int)] = [:]

  /// The keys of new nodes.
  private var newKeys: Set<ArraySlice<UInt8>> = []
  private var kept = NodeSet()
  /// The existing node of each given node.
  private var present: [NodeID?]
  private let childLists: [Int: [Int]]

  init(batch: Batch, nodes: Range<Int>) {
    self.batch = batch
    self.nodes = nodes
    present = Array(repeating: nil, count: nodes.count)
    childLists = batch.childLists(nodes)
  }

  /// The size of the keys and objects of new nodes in bytes.
  var newBytes: Int {
    nodes.reduce(0) { node(ofGiven: $1) == nil ? $0 + batch.byteCount(of: $1..<$1 + 1) : $0 }
  }

  /// Records a given node, and the existing node with its key.
  ///
  /// - Returns: False if the key was given before.
  mutating func record(_ index: Int, key: ArraySlice<UInt8>, _ node: NodeID?) -> Bool {
    guard let node else { return newKeys.insert(key).inserted }
    present[index - nodes.lowerBound] = node
    return kept.insert(node)
  }

  func node(ofGiven index: Int) -> NodeID? { present[index - nodes.lowerBound] }

  func isKept(_ node: NodeID) -> Bool { kept.place(of: node) != nil }

  /// Records that an existing node keeps its descendants, if the request says nothing about its
  /// children.
  ///
  /// Must be called before anything changes. Does nothing if the node's children are not loaded.
  mutating func recordWhole(
    _ index: Int,
    _ node: NodeID,
    _ tree: borrowing EngineTree
  ) {
    guard batch.nodes[index].childState == .unloaded, childLists[index] == nil else { return }
    guard tree.childState(of: node) == .loaded || tree.childCount(of: node) > 0 else { return }
    wholes[index] = (node, tree.depth(of: node))
  }

  /// Returns the given children of a node that was put in place; nil if there are none to place or
  /// remove.
  ///
  /// Records the new child state of a node that existed before.
  mutating func children(
    ofGiven index: Int,
    _ node: NodeID,
    _ tree: borrowing EngineTree
  ) -> [Int]? {
    let below = childLists[index] ?? []
    guard self.node(ofGiven: index) != nil else { return below.isEmpty ? nil : below }
    if wholes[index] != nil { return nil }
    let new = batch.nodes[index]
    let state = below.isEmpty ? new.childState : .loaded
    let hint = tree.childCountHint(of: node).map { Int32($0) }
    if tree.childState(of: node) != state || hint != new.hint {
      states.append((node, (state, new.hint)))
    }
    return below.isEmpty && tree.childCount(of: node) == 0 ? nil : below
  }
}

import TreeDomain
import TreeEngine

/// The state of one `setChildren`: what is given, which of it is there already, what has to go.
///
/// From the top down, each given list is put in place under its parent: new nodes are inserted,
/// kept ones moved if they must. What was there and is not given goes last, so that everything
/// kept has left it before.
struct ChildrenDiff {
  let batch: Batch
  let nodes: Range<Int>
  /// Children that nodes had before; those not kept go.
  var former: [NodeID] = []
  /// What is known of the children of nodes that were kept.
  private(set) var states: [(node: NodeID, state: (state: ChildState, hint: Int32?))] = []
  /// By given node the one that is there and keeps what is below it, for nothing new is known about
  /// that; and how deep it was.
  private(set) var wholes: [Int: (node: NodeID, depth: Int)] = [:]

  /// The keys of those that are not there yet.
  private var newKeys: Set<ArraySlice<UInt8>> = []
  private var kept = NodeSet()
  /// By given node the one that is there already.
  private var present: [NodeID?]
  private let childLists: [Int: [Int]]

  init(batch: Batch, nodes: Range<Int>) {
    self.batch = batch
    self.nodes = nodes
    present = Array(repeating: nil, count: nodes.count)
    childLists = batch.childLists(nodes)
  }

  /// How many bytes of keys and objects the given nodes have that are not there yet.
  var newBytes: Int {
    nodes.reduce(0) { node(ofGiven: $1) == nil ? $0 + batch.byteCount(of: $1..<$1 + 1) : $0 }
  }

  /// Takes note of a given node, and of the one there with its key.
  ///
  /// - Returns: False where the key was given before.
  mutating func note(_ index: Int, key: ArraySlice<UInt8>, _ node: NodeID?) -> Bool {
    guard let node else { return newKeys.insert(key).inserted }
    present[index - nodes.lowerBound] = node
    return kept.insert(node)
  }

  func node(ofGiven index: Int) -> NodeID? { present[index - nodes.lowerBound] }

  func isKept(_ node: NodeID) -> Bool { kept.place(of: node) != nil }

  /// Takes note of a given node that is there, before anything changes, if it is known what its
  /// children are and nothing is said of them.
  mutating func noteWhole(
    _ index: Int,
    _ node: NodeID,
    _ tree: borrowing TreeManager.EngineTree
  ) {
    guard batch.nodes[index].childState == .unloaded, childLists[index] == nil else { return }
    guard tree.childState(of: node) == .loaded || tree.childCount(of: node) > 0 else { return }
    wholes[index] = (node, tree.depth(of: node))
  }

  /// The given children of a given node that has been put in place; nil where there is nothing to
  /// be done about them.
  mutating func children(
    ofGiven index: Int,
    _ node: NodeID,
    _ tree: borrowing TreeManager.EngineTree
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

extension Batch {
  /// The ranges of a list in pre-order that begin with a node of depth 0 each.
  func roots(in range: Range<Int>) -> [Range<Int>] {
    let starts = range.filter { nodes[$0].depth == 0 }
    return zip(starts, starts.dropFirst() + [range.upperBound]).map { $0..<$1 }
  }

  /// The ranges of all roots that are inserted at once: those of one section that stand side by
  /// side, or each by itself where siblings are sorted.
  func rootRuns(isSorted: Bool) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for root in roots(in: nodes.indices) {
      if !isSorted, let last = runs.last,
        rootSections[root.lowerBound].map({ self[$0] })
          == rootSections[last.lowerBound].map({ self[$0] })
      {
        runs[runs.count - 1] = last.lowerBound..<root.upperBound
      } else {
        runs.append(root)
      }
    }
    return runs
  }
}

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

  /// The keys of those that are new.
  private var newKeys: Set<ArraySlice<UInt8>> = []
  private var kept: Set<NodeID> = []
  /// By given node the one that is there already.
  private var present: [NodeID?]
  private let childLists: [Int: [Int]]

  init(batch: Batch, nodes: Range<Int>) {
    self.batch = batch
    self.nodes = nodes
    present = Array(repeating: nil, count: nodes.count)
    kept.reserveCapacity(nodes.count)
    childLists = batch.childLists(nodes)
  }

  /// How many of the given nodes are not there yet.
  var newCount: Int { newKeys.count }

  /// Takes note of a given node, and of the one there with its key.
  ///
  /// - Returns: False where the key was given before.
  mutating func note(_ index: Int, key: ArraySlice<UInt8>, _ node: NodeID?) -> Bool {
    guard let node else { return newKeys.insert(key).inserted }
    present[index - nodes.lowerBound] = node
    return kept.insert(node).inserted
  }

  func node(ofGiven index: Int) -> NodeID? { present[index - nodes.lowerBound] }

  func isKept(_ node: NodeID) -> Bool { kept.contains(node) }

  /// The given children of a given node that has been put in place; nil where its present ones
  /// stay as they are, for nothing new is known about them.
  mutating func children(
    ofGiven index: Int,
    _ node: NodeID,
    _ tree: borrowing TreeManager.EngineTree
  ) -> [Int]? {
    let new = batch.nodes[index]
    let below = childLists[index] ?? []
    let isKept = self.node(ofGiven: index) != nil
    if isKept {
      let isLoaded = tree.childState(of: node) == .loaded || tree.childCount(of: node) > 0
      if new.childState == .unloaded, below.isEmpty, isLoaded { return nil }
      let state = below.isEmpty ? new.childState : .loaded
      states.append((node, (state, new.hint)))
    }
    return isKept || !below.isEmpty ? below : nil
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

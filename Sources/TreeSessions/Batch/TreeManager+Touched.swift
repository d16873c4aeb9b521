import TreeDomain
import TreeEngine

// How many nodes the operations of a request are about. Each may be about all there are; what they
// take together, in time and in what undoes them, is bounded by their sum.
extension TreeManager {
  /// Counts the nodes that an operation is about; those that it brings itself are not counted.
  ///
  /// - Throws: `content-too-large` where the operations before it were about as many as may be.
  /// - Complexity: O(log *n*), and O(keys) for one that names several.
  mutating func countNodes(
    of operation: Operation,
    _ batch: Batch,
    by session: OpenSession?
  ) throws(ServiceError) {
    try count(nodesAhead: nodes(touchedBy: operation, batch, by: session))
  }

  /// Counts nodes that are about to be looked at.
  ///
  /// - Throws: as ``count(nodes:)``, for what came before.
  mutating func count(nodesAhead: Int) throws(ServiceError) {
    try count(nodes: 0)
    nodesTouched += nodesAhead
  }

  /// Counts what moving a node looks at, which is little but for how deep a large subtree goes.
  ///
  /// What is toggled in it counts by itself.
  ///
  /// - Throws: as ``count(nodes:)``.
  /// - Complexity: O(log *n*).
  mutating func countMove(of node: NodeID) throws(ServiceError) {
    let size = tree.subtreeSize(of: node)
    try count(nodes: size > tree.maxDepth ? size / Self.nodesPassed : 0)
  }

  /// Counts the siblings that opening a node of an accordion looks at.
  ///
  /// - Throws: as ``count(nodes:)``.
  /// - Complexity: O(log *n*).
  mutating func countSiblings(
    of node: NodeID,
    in session: OpenSession
  ) throws(ServiceError) {
    try count(nodes: tree.siblingsAsked(of: node, in: session.view) / Self.siblingsPassed)
  }

  /// So many nodes are passed in a walk in the time that one takes of which something is made.
  private static var nodesPassed: Int { 64 }
  /// So many are looked up one by one.
  private static var siblingsPassed: Int { 16 }

  /// Counts nodes that an operation looks at.
  ///
  /// - Throws: `content-too-large` where they are more than may be.
  mutating func count(nodes: Int) throws(ServiceError) {
    nodesTouched += nodes
    guard nodesTouched + tree.retoggledCount > limits.maxNodesTouched else { return }
    throw .tooLarge(
      limit: limits.maxNodesTouched,
      "The operations and keys before this one are about too many nodes together; send fewer in"
        + " a batch."
    )
  }

  private func nodes(
    touchedBy operation: Operation,
    _ batch: Batch,
    by session: OpenSession?
  ) -> Int {
    switch operation {
    case .insert, .put, .update(_, .replace), .insertSection, .renameSection: 0
    case .update(let key, .merge):
      // What is merged into is kept until the batch is over; a node is taken for 64 bytes.
      tree.node(forKey: batch[key].span).map { tree.object(of: $0).count / 64 } ?? 0
    case .remove(let key): subtree(batch[key])
    // These count when they are done: rows that come and go are listed once, however often they do,
    // and of nodes below each other each goes once.
    case .removeAll, .move, .expand, .collapse, .toggle: 0
    case .setChildren(.node(let key), _): subtree(batch[key])
    case .setChildren(.roots(let name?), _): section(batch[name])
    case .sort(.children(let key), by: _):
      tree.node(forKey: batch[key].span).map { tree.childCount(of: $0) } ?? 0
    case .sort(.roots(let name?), by: _): section(batch[name])
    case .setChildren(.roots(nil), _), .sort(.roots(nil), by: _), .sort(.everywhere, by: _):
      nodeCount
    case .removeSection(let name), .moveSection(let name, _): section(batch[name])
    default: session.map { rows(touchedBy: operation, batch, of: $0) } ?? 0
    }
  }

  private func rows(touchedBy operation: Operation, _ batch: Batch, of session: OpenSession) -> Int
  {
    switch operation {
    case .expandAll, .collapseAll: nodeCount
    case .select(.subtree(let key)), .deselect(.subtree(let key)): subtree(batch[key])
    case .clearSelection: tree.selectedCount(of: session.view)
    default: 0
    }
  }

  private func subtree(_ key: ArraySlice<UInt8>) -> Int {
    tree.node(forKey: key.span).map { tree.subtreeSize(of: $0) } ?? 0
  }

  private func section(_ name: ArraySlice<UInt8>) -> Int {
    namedSections[Array(name)].map { tree.subtreeSize(of: $0) } ?? 0
  }
}

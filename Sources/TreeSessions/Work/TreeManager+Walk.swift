import TreeDomain
import TreeEngine

// Walks through the tree, which count their steps.
extension TreeManager {
  /// Returns the children of a node.
  ///
  /// - Throws: The errors of the meter.
  /// - Complexity: O(*k* log *n*) for *k* children.
  func children(of parent: NodeID) throws(ServiceError) -> [NodeID] {
    var found: [NodeID] = []
    found.reserveCapacity(tree.childCount(of: parent))
    try meter.relay {
      tree.forEachChild(of: parent) { node in
        found.append(node)
        return meter.proceeds()
      }
    }
    return found
  }

  /// Visits all nodes in pre-order, after a given one.
  ///
  /// - Parameters:
  ///   - node: The node after which the walk begins; `nil` for all nodes.
  ///   - body: Returns false to end the walk.
  /// - Throws: The errors of the meter or of the body.
  /// - Complexity: O(nodes visited + log *n*).
  func forEachNode(
    after node: NodeID? = nil,
    _ body: (NodeID) throws(ServiceError) -> Bool
  ) throws(ServiceError) {
    try meter.relay {
      tree.forEachNode(after: node) { node in
        meter.proceeds { () throws(ServiceError) in try body(node) }
      }
    }
  }
}

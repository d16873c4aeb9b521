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
    var refusal: ServiceError?
    tree.forEachChild(of: parent) { node in
      found.append(node)
      return proceeds(unless: &refusal)
    }
    if let refusal { throw refusal }
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
    var refusal: ServiceError?
    tree.forEachNode(after: node) { node in
      do throws(ServiceError) {
        try meter.count()
        return try body(node)
      } catch {
        refusal = error
        return false
      }
    }
    if let refusal { throw refusal }
  }

  /// Counts a step.
  ///
  /// Returns false if the meter refuses to continue.
  private func proceeds(unless refusal: inout ServiceError?) -> Bool {
    do throws(ServiceError) {
      try meter.count()
      return true
    } catch {
      refusal = error
      return false
    }
  }
}

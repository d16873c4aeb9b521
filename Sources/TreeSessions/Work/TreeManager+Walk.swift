import TreeDomain
import TreeEngine

// Walks through the tree that count their steps.
extension TreeManager {
  /// Returns the children of a node.
  ///
  /// - Throws: What the meter throws.
  /// - Complexity: O(*k* log *n*).
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

  /// Visits all nodes in pre-order, from behind a given one on.
  ///
  /// - Parameters:
  ///   - node: The node to go on behind; `nil` to begin with the first.
  ///   - body: Returns false to end the walk.
  /// - Throws: What the meter or the body throws.
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

  /// Counts a step; returns false if the meter refuses to go on.
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

// Transactions that have the same effects in either order.
extension SizedTree {
  /// Compares the running transaction with the one that is set aside.
  ///
  /// - Parameter sorts: Returns true if the change of a node's object moves the node in an order by
  ///   which the transaction that is set aside placed nodes.
  /// - Returns: True if both have the same effects in either order.
  /// - Precondition: A transaction is set aside.
  /// - Complexity: O(*k* *s* log *n*) for *k* steps and *s* subtrees of the footprint.
  func commutes(sorting sorts: ObjectComparison) -> Bool {
    guard let impact = aside.value?.impact, let transaction else { return false }
    for inverse in transaction.inverses where !commutes(inverse, impact) { return false }
    let readings = transaction.readings
    for (node, before) in zip(readings.keys.nodes, readings.values) where forest.isAttached(node) {
      if sameBytes(before.object, forest[node].object) { continue }
      if impact.written.contains(node) || impact.footprint.nodes.contains(node) { return false }
      let isInside = isInside(node, impact)
      if isInside, impact.footprint.readsObjects { return false }
      let isCompared = isInside || impact.dependsOnChildren(of: forest[node].parent)
      let former = forest.objectArena.span(before.object)
      if isCompared, sorts(forest.key(of: node), former, forest.object(of: node)) {
        return false
      }
    }
    return true
  }

  private func commutes(
    _ inverse: Transaction<Width>.Inverse,
    _ impact: TransactionImpact
  ) -> Bool {
    switch inverse {
    case .linked(_, _, let at): return keeps(childrenOf: at.parent, impact)
    case .removed(let cutting, let from, _):
      return keeps(childrenOf: from.parent, impact)
        && forest.nodes(of: cutting).allSatisfy {
          !impact.dependsOnChildren(of: $0) && !impact.footprint.subtrees.contains($0)
        }
    case .moved(let node, let from, let to):
      return keeps(childrenOf: from.parent, impact) && keeps(childrenOf: to.parent, impact)
        && !isReordered(atOrBelow: node, impact)
    case .arranged(let parent, _), .childState(let parent, _, _):
      return keeps(childrenOf: parent, impact)
    case .object: return true
    case .toggled(let node, let slot):
      return slot != impact.view && !isReordered(atOrBelow: node, impact)
    case .selected(_, _, let slot): return slot != impact.view
    case .toggledAside, .rule, .views: return impact.view == nil && impact.parents.isEmpty
    }
  }

  /// Returns true if the transaction that is set aside does not depend on a node's children.
  private func keeps(childrenOf parent: NodeID, _ impact: TransactionImpact) -> Bool {
    !impact.dependsOnChildren(of: parent) && !isInside(parent, impact)
  }

  /// Returns true if a node is in a subtree of the footprint.
  private func isInside(_ node: NodeID, _ impact: TransactionImpact) -> Bool {
    guard node == .forestRoot || forest.isAttached(node) else { return false }
    return impact.footprint.subtrees.contains { contains(node, atOrBelow: $0) }
  }

  private func contains(_ node: NodeID, atOrBelow top: NodeID) -> Bool {
    if top == .forestRoot { return true }
    guard forest.isAttached(top), node != .forestRoot else { return false }
    return forest.subtree(at: forest.place(of: top)).contains(forest.place(of: node).position)
  }

  /// Returns true if the transaction that is set aside moved or reordered children at or below a
  /// node.
  ///
  /// The result is also true if it did so with the children of too many nodes for a search.
  private func isReordered(atOrBelow top: NodeID, _ impact: TransactionImpact) -> Bool {
    guard forest.isAttached(top) else { return false }
    // More are not worth the search.
    guard impact.reordered.count <= Self.mostReordered else { return true }
    return impact.reordered.contains { forest.isAttached($0) && contains($0, atOrBelow: top) }
  }

  private static var mostReordered: Int { 256 }
}

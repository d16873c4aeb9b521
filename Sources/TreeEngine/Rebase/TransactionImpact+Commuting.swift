// Transactions that have the same effects in either order.
extension TransactionImpact {
  /// Compares another transaction with the one that is set aside.
  ///
  /// - Parameters:
  ///   - transaction: The other transaction.
  ///   - forest: The nodes that it changed.
  ///   - sorts: Returns true if the change of a node's object moves the node in an order by which
  ///     the transaction that is set aside placed nodes.
  /// - Returns: True if both have the same effects in either order.
  /// - Complexity: O(*k* *s* log *n*) for *k* steps and *s* subtrees of the footprint.
  func commutes<Width>(
    with transaction: Transaction<Width>,
    in forest: borrowing Forest<Width>,
    sorting sorts: SizedTree<Width>.ObjectComparison
  ) -> Bool {
    for inverse in transaction.inverses where !commutes(inverse, forest) { return false }
    let readings = transaction.readings
    for (node, before) in zip(readings.keys.nodes, readings.values) where forest.isAttached(node) {
      if forest.sameBytes(before.object, forest[node].object) { continue }
      if written.contains(node) || footprint.nodes.contains(node) { return false }
      let isInside = isInside(node, forest)
      if isInside, footprint.readsObjects { return false }
      let isCompared = isInside || dependsOnChildren(of: forest[node].parent)
      let former = forest.objectArena.span(before.object)
      if isCompared, sorts(forest.key(of: node), former, forest.object(of: node)) {
        return false
      }
    }
    return true
  }

  private func commutes<Width>(
    _ inverse: Transaction<Width>.Inverse,
    _ forest: borrowing Forest<Width>
  ) -> Bool {
    switch inverse {
    case .linked(_, _, let at): return keeps(childrenOf: at.parent, forest)
    case .removed(let cutting, let from, _):
      return keeps(childrenOf: from.parent, forest)
        && forest.nodes(of: cutting).allSatisfy {
          !dependsOnChildren(of: $0) && !footprint.subtrees.contains($0)
        }
    case .moved(let node, let from, let to):
      return keeps(childrenOf: from.parent, forest) && keeps(childrenOf: to.parent, forest)
        && !isReordered(atOrBelow: node, forest)
    case .arranged(let parent, _), .childState(let parent, _, _):
      return keeps(childrenOf: parent, forest)
    case .object: return true
    case .toggled(let node, let slot):
      return slot != view && !isReordered(atOrBelow: node, forest)
    case .selected(_, _, let slot): return slot != view
    case .toggledAside, .rule, .views: return view == nil && parents.isEmpty
    }
  }

  /// Returns true if the transaction that is set aside does not depend on a node's children.
  private func keeps<Width>(childrenOf parent: NodeID, _ forest: borrowing Forest<Width>) -> Bool {
    !dependsOnChildren(of: parent) && !isInside(parent, forest)
  }

  /// Returns true if a node is in a subtree of the footprint.
  private func isInside<Width>(_ node: NodeID, _ forest: borrowing Forest<Width>) -> Bool {
    guard node == .forestRoot || forest.isAttached(node) else { return false }
    return footprint.subtrees.contains { contains(node, atOrBelow: $0, forest) }
  }

  private func contains<Width>(
    _ node: NodeID,
    atOrBelow top: NodeID,
    _ forest: borrowing Forest<Width>
  ) -> Bool {
    if top == .forestRoot { return true }
    guard forest.isAttached(top), node != .forestRoot else { return false }
    return forest.subtree(at: forest.place(of: top)).contains(forest.place(of: node).position)
  }

  /// Returns true if the transaction that is set aside moved or reordered children at or below a
  /// node.
  ///
  /// The result is also true if it did so with the children of too many nodes for a search.
  private func isReordered<Width>(atOrBelow top: NodeID, _ forest: borrowing Forest<Width>) -> Bool
  {
    guard forest.isAttached(top) else { return false }
    // More are not worth the search.
    guard reordered.count <= Self.mostReordered else { return true }
    return reordered.contains { forest.isAttached($0) && contains($0, atOrBelow: top, forest) }
  }

  private static var mostReordered: Int { 256 }
}

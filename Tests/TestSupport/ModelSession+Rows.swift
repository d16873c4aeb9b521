extension ModelSession {
  /// The number of nodes, visible or not.
  package var nodeCount: Int {
    tree.nodes.count
  }

  /// The keys of all nodes, in pre-order.
  package var keys: [ModelKey] {
    tree.allNodes.map(\.key)
  }

  /// Every visible row, in order.
  package var rows: [ModelRow] {
    visible(tree.roots).enumerated().map { row($1, index: $0) }
  }

  /// A node as the session sees it; `nil` when there is none of that key.
  package func row(of key: ModelKey) -> ModelRow? {
    tree.nodes[key].map { row($0, index: index(of: $0)) }
  }

  /// The children of a node, or the roots, whether they are visible or not.
  ///
  /// `nil` when there is no such node.
  package func children(of key: ModelKey?) -> [ModelRow]? {
    guard let key else { return tree.roots.map { row($0, index: index(of: $0)) } }
    return tree.nodes[key]?.children.map { row($0, index: index(of: $0)) }
  }

  /// The path from the root to a node's parent; `nil` when there is no such node.
  package func ancestors(of key: ModelKey) -> [ModelRow]? {
    tree.nodes[key]?.ancestors.map { row($0, index: index(of: $0)) }
  }

  /// The rows that these siblings show, themselves included.
  private func visible(_ siblings: [ModelNode]) -> [ModelNode] {
    siblings.flatMap { [$0] + (isExpanded($0) ? visible($0.children) : []) }
  }

  private func index(of node: ModelNode) -> Int? {
    visible(tree.roots).firstIndex { $0 === node }
  }

  private func row(_ node: ModelNode, index: Int?) -> ModelRow {
    let siblings = tree.siblings(under: node.parent)
    return ModelRow(
      identity: node.identity,
      index: index,
      key: node.key,
      parent: node.parent?.key,
      depth: node.depth,
      position: siblings.firstIndex { $0 === node } ?? 0,
      siblingCount: siblings.count,
      expanded: isExpanded(node),
      childState: node.childState.rawValue,
      childCount: node.childState == .unloaded ? nil : node.children.count,
      visibleDescendantCount: isExpanded(node) ? visible(node.children).count : 0,
      object: node.object,
      isMerged: node.isMerged
    )
  }
}

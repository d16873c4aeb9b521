/// The operation `setChildren`, defined by the resulting forest.
extension ModelTree {
  /// Replaces the children of a node, or the roots.
  func setChildren(_ target: ModelTarget, _ children: ModelNewChildren) throws(ModelRefusal) {
    switch children {
    case .nodes(let nested): try replaceChildren(target, nested)
    case .none: for parent in try parents(target) { clear(parent, state: .leaf, hint: nil) }
    case .state(.unloaded, let hint):
      guard case .node = target else { throw ModelRefusal(code: .invalidRequest) }
      for parent in try parents(target) { clear(parent, state: .unloaded, hint: hint) }
    case .state(let state, let hint):
      guard case .node(let key) = target else { throw ModelRefusal(code: .invalidRequest) }
      let node = try node(key)
      node.childState = state == .loading ? .loading : .failed
      // A state without a count keeps the count.
      if let hint { node.hint = hint }
    }
  }

  private func clear(_ parent: ModelParent, state: ModelNode.ChildState, hint: Int?) {
    parent.setChildren([])
    if case .node(let node) = parent {
      node.childState = state
      node.hint = hint
    }
    removeDetachedNodes()
  }

  /// Removes detached nodes from the index of keys.
  private func removeDetachedNodes() {
    nodes = [:]
    for node in allNodes { nodes[node.key] = node }
  }

  private func parents(_ target: ModelTarget) throws(ModelRefusal) -> [ModelParent] {
    switch target {
    case .node(let key): [.node(try node(key))]
    case .roots(let name?): [.section(try section(name))]
    case .roots(nil): sections.map(ModelParent.section)
    }
  }

  private func replaceChildren(
    _ target: ModelTarget,
    _ nested: [ModelNestedNode]
  ) throws(ModelRefusal) {
    let parents = try parents(target)
    let keys = nested.flatMap(\.keys)
    guard Set(keys).count == keys.count else { throw ModelRefusal(code: .duplicateKey) }
    if case .node(let parent) = parents[0] {
      let path = (parent.ancestors + [parent]).map(\.key)
      if keys.contains(where: path.contains) { throw ModelRefusal(code: .cycle) }
    }
    var groups: [[ModelNestedNode]] = parents.map { _ in [] }
    for node in nested { groups[try group(of: node, among: parents)].append(node) }
    for node in nested { try checkDepth(of: node.height, under: parents[0]) }
    let diff = KeyedDiff(tree: self, keys: keys)
    diff.detachKeptNodes()
    for (parent, group) in zip(parents, groups) {
      diff.place(group, under: parent)
      guard case .node(let node) = parent else { continue }
      (node.childState, node.hint) = (.loaded, nil)
    }
    removeDetachedNodes()
  }

  /// Returns the index of the new parent of a node. Roots go to the section they name, or stay in
  /// theirs; new ones go to the first.
  private func group(
    of node: ModelNestedNode,
    among parents: [ModelParent]
  ) throws(ModelRefusal) -> Int {
    let own = nodes[node.key].map { self.section(of: $0) }
    guard node.section != nil || (own != nil && parents.count > 1) else { return 0 }
    let named = try node.section.map { name throws(ModelRefusal) in try self.section(name) }
    let section = named ?? own
    let index = parents.firstIndex { parent in
      if case .section(let other) = parent { other === section } else { false }
    }
    guard let index else { throw ModelRefusal(code: .invalidRequest) }
    return index
  }
}

/// A difference by keys between existing nodes and given ones.
private struct KeyedDiff {
  let tree: ModelTree
  /// The existing nodes with given keys.
  let kept: [ModelKey: ModelNode]
  /// The identities of nodes with known children, which a given `"unloaded"` keeps.
  let known: Set<Int>

  init(tree: ModelTree, keys: [ModelKey]) {
    self.tree = tree
    var kept: [ModelKey: ModelNode] = [:]
    for key in keys { kept[key] = tree.nodes[key] }
    self.kept = kept
    known = Set(
      kept.values.filter { !$0.children.isEmpty || $0.childState == .loaded }.map(\.identity)
    )
  }

  /// Detaches all kept nodes, so that no node can become its own descendant.
  func detachKeptNodes() {
    let leaving = Set(kept.values.map(\.identity))
    let all = tree.allNodes
    for parent in tree.sections.map(ModelParent.section) + all.map(ModelParent.node) {
      parent.setChildren(parent.children.filter { !leaving.contains($0.identity) })
    }
    for node in kept.values { node.parent = nil }
  }

  /// Makes the given nodes the children of a parent.
  func place(_ given: [ModelNestedNode], under parent: ModelParent) {
    var children: [ModelNode] = []
    for nested in given {
      if let node = kept[nested.key] {
        update(node, as: nested)
        children.append(node)
      } else {
        let node = tree.make(nested)
        if case .loaded(let inside) = nested.children { place(inside, under: .node(node)) }
        children.append(node)
      }
    }
    parent.setChildren(children.sorted(by: tree.sort))
  }

  private func update(_ node: ModelNode, as nested: ModelNestedNode) {
    let object = nested.object ?? .null
    if object.bytes != node.object.bytes {
      node.object = object
      node.isMerged = false
    }
    switch nested.children {
    case .unloaded where known.contains(node.identity): break
    case .unloaded:
      node.childState = .unloaded
      node.hint = nested.hint
    case .leaf:
      ModelParent.node(node).setChildren([])
      node.childState = .leaf
      node.hint = nil
    case .loaded(let inside):
      place(inside, under: .node(node))
      node.childState = .loaded
      node.hint = nil
    }
  }
}

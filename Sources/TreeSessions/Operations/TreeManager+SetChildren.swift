import TreeDomain
import TreeEngine

// Replacing the children of a node by a keyed difference.
extension TreeManager {
  /// Replaces the children of a node, or the roots, with the given nodes; see ``ChildrenDiff``.
  ///
  /// - Throws: The reason to refuse it.
  mutating func setChildren(
    of target: ChildrenTarget,
    _ children: NewChildren,
    in batch: Batch
  ) throws(ServiceError) {
    switch (target, children) {
    case (.node(let key), .nodes(let nodes)):
      let parent = try find(batch[key])
      let roots = batch.roots(in: nodes.range).map(\.lowerBound)
      try replaceChildren(of: [parent: roots], nodes.range, batch)
      setChildState(.loaded, of: parent)
    case (.node(let key), .none):
      let node = try find(batch[key])
      try removeChildren(of: node)
      setChildState(.leaf, of: node)
    case (.node(let key), .state(let state, let hint)):
      let node = try find(batch[key])
      if state == .unloaded { try removeChildren(of: node) }
      // While children are loading or failed to load, their number is not known.
      let known = state == .unloaded ? nil : tree.childCountHint(of: node).map { Int32($0) }
      setChildState(state, of: node, hint: hint ?? known)
    case (.roots(let section), .nodes(let nodes)):
      try replaceRoots(in: section, nodes.range, batch)
    case (.roots(let section), .none):
      try replaceRoots(in: section, 0..<0, batch)
    case (.roots, .state):
      preconditionFailure("a state of the roots is refused when the request is read")
    }
  }

  /// Replaces the roots of one section or of all.
  ///
  /// In the latter case, existing nodes for which no section is named stay in their own section.
  private mutating func replaceRoots(
    in section: ByteSlice?,
    _ nodes: Range<Int>,
    _ batch: Batch
  ) throws(ServiceError) {
    var lists: [NodeID: [Int]] = [:]
    if let section {
      lists[try self.section(named: batch[section])] = []
    } else {
      for section in sections.all { lists[section.node] = [] }
    }
    for root in batch.roots(in: nodes).map(\.lowerBound) {
      let named = batch.rootSections[root] ?? section
      let target = try named.map { slice throws(ServiceError) in
        try self.section(named: batch[slice])
      }
      let kept = target == nil ? tree.node(forKey: batch[batch.nodes[root].key].span) : nil
      let own = kept.map { sections.all[sectionIndex(of: $0)].node }
      lists[target ?? own ?? firstSection, default: []].append(root)
    }
    try replaceChildren(of: lists, nodes, batch)
  }

  private mutating func replaceChildren(
    of lists: [NodeID: [Int]],
    _ nodes: Range<Int>,
    _ batch: Batch
  ) throws(ServiceError) {
    try meter.count(nodes.count)
    var diff = ChildrenDiff(batch: batch, nodes: nodes)
    try resolve(&diff, below: lists.keys)
    if diff.newBytes > 0 { try checkRoom(bytes: diff.newBytes) }
    let countBefore = nodeCount
    sorted.forgetAll()
    sortKeys.forgetAllSiblings()
    var pending = lists.map { (parent: $0.key, given: $0.value) }
    while let (parent, given) = pending.popLast() {
      diff.former += try children(of: parent)
      let placed = try place(try inOrder(given, batch), under: parent, &diff)
      for (node, given) in placed {
        guard let below = diff.children(ofGiven: given, node, tree) else { continue }
        pending.append((node, below))
      }
    }
    for node in diff.former where !diff.isKept(node) { try removeSubtree(node) }
    // If the tree has too many nodes already, it may still shrink.
    if nodeCount > countBefore { try checkRoom(for: 0, bytes: 0) }
    for (node, state) in diff.states {
      setChildState(state.state, of: node, hint: state.hint)
    }
    for (node, depth) in diff.wholes.values where tree.depth(of: node) > depth {
      let isTooDeep = try edited { tree, count throws(TreeError) in
        try tree.isTooDeep(atOrBelow: node, counting: count)
      }
      if isTooDeep { throw service(.depthLimit(tree.maxDepth)) }
    }
  }

  /// Finds the given nodes that exist already.
  ///
  /// - Throws: `duplicate-key`; `cycle` for an ancestor of the node whose children are replaced;
  ///   `depth-limit` for a node that would be too deep.
  private func resolve(
    _ diff: inout ChildrenDiff,
    below parents: some Sequence<NodeID>
  ) throws(ServiceError) {
    var above: Set<NodeID> = []
    for parent in parents {
      var node = parent
      while node != .forestRoot, above.insert(node).inserted { node = tree.parent(of: node) }
    }
    for index in diff.nodes {
      try meter.count(2)
      let key = diff.batch[diff.batch.nodes[index].key]
      let node = tree.node(forKey: key.span)
      if let node, above.contains(node) {
        throw ServiceError(
          .cycle,
          "A node cannot be among its own descendants; leave it out there.",
          key: key
        )
      }
      guard diff.record(index, key: key, node) else { throw duplicate(key) }
      if let node { diff.recordWhole(index, node, tree) }
    }
    try checkDepth(diff, at: parents.reduce(0) { max($0, tree.depth(of: $1) + 1) })
  }

  /// Checks that no node would be too deep, unless it is as deep already.
  private func checkDepth(_ diff: ChildrenDiff, at top: Int) throws(ServiceError) {
    for index in diff.nodes where top + diff.batch.nodes[index].depth > tree.maxDepth {
      let depth = top + diff.batch.nodes[index].depth
      if let node = diff.node(ofGiven: index), tree.depth(of: node) >= depth { continue }
      throw service(.depthLimit(tree.maxDepth))
    }
  }

  /// Returns given siblings, sorted by the order of the tree.
  private func inOrder(_ given: [Int], _ batch: Batch) throws(ServiceError) -> [Int] {
    sort.isEmpty ? given : try sorted(given, of: batch)
  }

  /// Puts siblings under a parent in order, before and between the children to be removed.
  ///
  /// As many of its children as possible stay where they are.
  private mutating func place(
    _ given: [Int],
    under parent: NodeID,
    _ diff: inout ChildrenDiff
  ) throws(ServiceError) -> [(node: NodeID, given: Int)] {
    let wanted = given.compactMap { diff.node(ofGiven: $0) }
    try edited { tree, count throws(TreeError) in
      try tree.setChildOrder(wanted, of: parent, counting: count)
    }
    var placed: [(node: NodeID, given: Int)] = []
    for index in given {
      if let node = diff.node(ofGiven: index) {
        let object = diff.batch.nodes[index].object
        try meter.count(1 + object.count / 64)
        tree.update(node, object: diff.batch[object].span)
        sortKeys.forget(node)
        placed.append((node, index))
      } else {
        // The place is after the node before, or else the first.
        try meter.count()
        let position = placed.last.map { tree.position(of: $0.node) + 1 } ?? 0
        placed.append((try insert(index, of: diff, under: parent, at: position), index))
      }
    }
    return placed
  }

  private mutating func insert(
    _ given: Int,
    of diff: ChildrenDiff,
    under parent: NodeID,
    at position: Int
  ) throws(ServiceError) -> NodeID {
    var new = diff.batch.nodes[given]
    new.depth = 0
    return try edited { tree, count throws(TreeError) in
      try tree.insert(
        [new],
        bytes: diff.batch.bytes,
        under: parent,
        at: position,
        counting: count
      )
    }
  }

  private mutating func removeChildren(of node: NodeID) throws(ServiceError) {
    guard tree.childCount(of: node) > 0 else { return }
    sorted.forgetAll()
    sortKeys.forgetSiblings(under: node)
    for child in try children(of: node) { try removeSubtree(child) }
  }

  private mutating func setChildState(_ state: ChildState, of node: NodeID, hint: Int32? = nil) {
    guard !isSection(node) else { return }
    tree.setChildState(state, hint: hint, of: node)
  }
}

import TreeDomain
import TreeEngine

/// The replacement of the children of a node, or of the roots, by a keyed difference; see
/// ``ChildrenDiff``.
struct SetChildren {
  private let target: ChildrenTarget
  private let children: NewChildren
  private let batch: Batch

  init(of target: ChildrenTarget, _ children: NewChildren, in batch: Batch) {
    (self.target, self.children, self.batch) = (target, children, batch)
  }

  /// Applies the replacement in the running transaction.
  ///
  /// - Throws: The reason to refuse it.
  func apply(to content: inout TreeContent) throws(ServiceError) {
    switch (target, children) {
    case (.node(let key), .nodes(let nodes)):
      let parent = try content.find(batch[key])
      let roots = batch.roots(in: nodes.range).map(\.lowerBound)
      try replaceChildren(of: [parent: roots], nodes.range, in: &content)
      setChildState(.loaded, of: parent, in: &content)
    case (.node(let key), .none):
      let node = try content.find(batch[key])
      try removeChildren(of: node, in: &content)
      setChildState(.leaf, of: node, in: &content)
    case (.node(let key), .state(let state, let hint)):
      let node = try content.find(batch[key])
      if state == .unloaded { try removeChildren(of: node, in: &content) }
      // While children are loading or failed to load, their number is not known.
      let known = state == .unloaded ? nil : content.tree.childCountHint(of: node).map { Int32($0) }
      setChildState(state, of: node, hint: hint ?? known, in: &content)
    case (.roots(let section), .nodes(let nodes)):
      try replaceRoots(in: section, nodes.range, in: &content)
    case (.roots(let section), .none):
      try replaceRoots(in: section, 0..<0, in: &content)
    case (.roots, .state):
      preconditionFailure("a state of the roots is refused when the request is read")
    }
  }

  /// Replaces the roots of one section or of all.
  ///
  /// In the latter case, existing nodes for which no section is named stay in their own section.
  private func replaceRoots(
    in section: ByteSlice?,
    _ nodes: Range<Int>,
    in content: inout TreeContent
  ) throws(ServiceError) {
    var lists: [NodeID: [Int]] = [:]
    if let section {
      lists[try content.section(named: batch[section])] = []
    } else {
      for section in content.sections.all { lists[section.node] = [] }
    }
    for root in batch.roots(in: nodes).map(\.lowerBound) {
      let named = batch.rootSections[root] ?? section
      let target = try named.map { slice throws(ServiceError) in
        try content.section(named: batch[slice])
      }
      let kept = target == nil ? content.tree.node(forKey: batch[batch.nodes[root].key].span) : nil
      let own = kept.map { content.sections.all[content.sectionIndex(of: $0)].node }
      lists[target ?? own ?? content.sections.first, default: []].append(root)
    }
    try replaceChildren(of: lists, nodes, in: &content)
  }

  private func replaceChildren(
    of lists: [NodeID: [Int]],
    _ nodes: Range<Int>,
    in content: inout TreeContent
  ) throws(ServiceError) {
    try content.meter.count(nodes.count)
    var diff = ChildrenDiff(batch: batch, nodes: nodes)
    try resolve(&diff, below: lists.keys, in: content)
    if diff.newBytes > 0 { try content.checkRoom(bytes: diff.newBytes) }
    let countBefore = content.nodeCount
    content.siblings.forgetAll()
    content.siblings.forgetAllSiblings()
    var pending = lists.map { (parent: $0.key, given: $0.value) }
    while let (parent, given) = pending.popLast() {
      diff.former += try content.tree.children(of: parent, counting: content.meter)
      let placed = try place(try inOrder(given, in: content), under: parent, &diff, in: &content)
      for (node, given) in placed {
        guard let below = diff.children(ofGiven: given, node, content.tree) else { continue }
        pending.append((node, below))
      }
    }
    for node in diff.former where !diff.isKept(node) { try content.removeSubtree(node) }
    // If the tree has too many nodes already, it may still shrink.
    if content.nodeCount > countBefore { try content.checkRoom(for: 0, bytes: 0) }
    for (node, state) in diff.states {
      setChildState(state.state, of: node, hint: state.hint, in: &content)
    }
    for (node, depth) in diff.wholes.values where content.tree.depth(of: node) > depth {
      let isTooDeep = try content.edited { tree, count throws(TreeError) in
        try tree.isTooDeep(atOrBelow: node, counting: count)
      }
      if isTooDeep { throw content.service(.depthLimit(content.tree.maxDepth)) }
    }
  }

  /// Finds the given nodes that exist already.
  ///
  /// - Throws: `duplicate-key`; `cycle` for an ancestor of the node whose children are replaced;
  ///   `depth-limit` for a node that would be too deep.
  private func resolve(
    _ diff: inout ChildrenDiff,
    below parents: some Sequence<NodeID>,
    in content: borrowing TreeContent
  ) throws(ServiceError) {
    var above: Set<NodeID> = []
    for parent in parents {
      var node = parent
      while node != .forestRoot, above.insert(node).inserted {
        node = content.tree.parent(of: node)
      }
    }
    for index in diff.nodes {
      try content.meter.count(2)
      let key = diff.batch[diff.batch.nodes[index].key]
      let node = content.tree.node(forKey: key.span)
      if let node, above.contains(node) {
        throw ServiceError(
          .cycle,
          "A node cannot be among its own descendants; leave it out there.",
          key: key
        )
      }
      guard diff.record(index, key: key, node) else { throw content.duplicate(key) }
      if let node { diff.recordWhole(index, node, content.tree) }
    }
    try checkDepth(
      diff,
      at: parents.reduce(0) { max($0, content.tree.depth(of: $1) + 1) },
      in: content
    )
  }

  /// Checks that no node would be too deep, unless it is as deep already.
  private func checkDepth(
    _ diff: ChildrenDiff,
    at top: Int,
    in content: borrowing TreeContent
  ) throws(ServiceError) {
    for index in diff.nodes where top + diff.batch.nodes[index].depth > content.tree.maxDepth {
      let depth = top + diff.batch.nodes[index].depth
      if let node = diff.node(ofGiven: index), content.tree.depth(of: node) >= depth { continue }
      throw content.service(.depthLimit(content.tree.maxDepth))
    }
  }

  /// Returns given siblings, sorted by the order of the tree.
  private func inOrder(
    _ given: [Int],
    in content: borrowing TreeContent
  ) throws(ServiceError) -> [Int] {
    content.sort.isEmpty
      ? given : try batch.sorted(given, by: content.sort, counting: content.meter)
  }

  /// Puts siblings under a parent in order, before and between the children to be removed.
  ///
  /// As many of its children as possible stay where they are.
  private func place(
    _ given: [Int],
    under parent: NodeID,
    _ diff: inout ChildrenDiff,
    in content: inout TreeContent
  ) throws(ServiceError) -> [(node: NodeID, given: Int)] {
    let wanted = given.compactMap { diff.node(ofGiven: $0) }
    try content.edited { tree, count throws(TreeError) in
      try tree.setChildOrder(wanted, of: parent, counting: count)
    }
    var placed: [(node: NodeID, given: Int)] = []
    for index in given {
      if let node = diff.node(ofGiven: index) {
        let object = diff.batch.nodes[index].object
        try content.meter.count(1 + object.count / 64)
        content.tree.update(node, object: diff.batch[object].span)
        content.siblings.forgetKey(of: node)
        placed.append((node, index))
      } else {
        // The place is after the node before, or else the first.
        try content.meter.count()
        let position = placed.last.map { content.tree.position(of: $0.node) + 1 } ?? 0
        placed.append(
          (try insert(index, of: diff, under: parent, at: position, in: &content), index)
        )
      }
    }
    return placed
  }

  private func insert(
    _ given: Int,
    of diff: ChildrenDiff,
    under parent: NodeID,
    at position: Int,
    in content: inout TreeContent
  ) throws(ServiceError) -> NodeID {
    var new = diff.batch.nodes[given]
    new.depth = 0
    return try content.edited { tree, count throws(TreeError) in
      try tree.insert(
        [new],
        bytes: diff.batch.bytes,
        under: parent,
        at: position,
        counting: count
      )
    }
  }

  private func removeChildren(of node: NodeID, in content: inout TreeContent) throws(ServiceError) {
    guard content.tree.childCount(of: node) > 0 else { return }
    content.siblings.forgetAll()
    content.siblings.forgetKeys(under: node)
    for child in try content.tree.children(of: node, counting: content.meter) {
      try content.removeSubtree(child)
    }
  }

  private func setChildState(
    _ state: ChildState,
    of node: NodeID,
    hint: Int32? = nil,
    in content: inout TreeContent
  ) {
    guard !content.tree.isSection(node) else { return }
    content.tree.setChildState(state, hint: hint, of: node)
  }
}

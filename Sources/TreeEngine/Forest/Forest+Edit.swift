extension Forest {
  /// The result of a cut: a subtree to insert elsewhere, or consecutive subtrees to release.
  struct Cutting: Sendable {
    /// The root of the subtree, or of the first one.
    var node: NodeID
    /// The tree of the entries, whose first step is 0.
    ///
    /// Nil for a single node.
    var root: Sequence.Root?
    var size: Int32
  }

  /// A position at which a child of a node is inserted.
  struct Opening: Sendable {
    var parent: NodeID
    /// The position of the new entry.
    var position: Int32
    /// The depth of the new entry.
    var depth: Int32
    /// The entry at that position now, or nil at the end.
    var following: Place?
  }

  /// Returns the position at which a child of a node is inserted.
  ///
  /// - Precondition: `index` is at most the child count.
  /// - Complexity: O(log *n*).
  func opening(under parent: NodeID, at index: Int) -> Opening {
    let place = place(of: parent)
    let following =
      index == Int(self[parent].childCount)
      ? subtree(at: place).following : child(index, of: place)
    return Opening(
      parent: parent,
      position: following?.position ?? entryCount,
      depth: place.depth + 1,
      following: following
    )
  }

  /// Links a node without children.
  ///
  /// - Complexity: O(log *n*).
  mutating func link(_ node: NodeID, at opening: Opening) {
    let entry = Entry(owner: node.index, step: opening.depth - depth(before: opening))
    if let next = opening.following {
      // `insertBalanced` updates the summaries above the leaf.
      sequence[next.leaf, next.slot].step = next.depth - opening.depth
      sequence.insertBalanced(entry, leaf: next.leaf, slot: next.slot, root: &root)
    } else {
      sequence.append(entry, to: &root)
    }
    entryCount += 1
    adopt(node, by: opening.parent)
  }

  /// Links consecutive subtrees, given in pre-order.
  ///
  /// Depths count from 0 at the children of the parent.
  ///
  /// - Complexity: O(*m* + log *n*) for *m* nodes.
  mutating func link(
    _ run: [(node: NodeID, depth: Int32)],
    at opening: Opening,
    passing pass: (Int) -> Void = { _ in }
  ) {
    var entries: [Entry] = []
    entries.reserveCapacity(run.count)
    // The ancestors of the next node, from the parent down.
    var path = [opening.parent]
    var last: Int32 = 0
    for (node, depth) in run {
      if entries.count % Self.nodesPerPass == 0 { pass(Self.nodesPerPass) }
      entries.append(Entry(owner: node.index, step: depth - last))
      last = depth
      path.removeLast(path.count - Int(depth) - 1)
      adopt(node, by: path[Int(depth)])
      path.append(node)
    }
    let piece = sequence.build(entries, passing: pass)
    splice(piece, size: Int32(run.count), at: opening)
  }

  /// The number of nodes for which a loop calls `pass` once.
  static var nodesPerPass: Int { 256 }

  private mutating func adopt(_ node: NodeID, by parent: NodeID) {
    self[node].parent = parent
    self[parent].childCount += 1
  }

  /// Inserts a subtree that was cut out.
  ///
  /// - Complexity: O(log *n*).
  mutating func paste(_ cutting: Cutting, at opening: Opening) {
    guard let piece = cutting.root else {
      link(cutting.node, at: opening)
      return
    }
    splice(piece, size: cutting.size, at: opening)
    adopt(cutting.node, by: opening.parent)
  }

  mutating func splice(_ piece: Sequence.Root, size: Int32, at opening: Opening) {
    let lastDepth = opening.depth + sequence.summary(of: piece).sum
    setFirstStep(of: piece, to: opening.depth - depth(before: opening))
    if let next = opening.following {
      // The split leaves no summary above this leaf, so none has to be refreshed.
      sequence[next.leaf, next.slot].step = next.depth - lastDepth
      let (left, right) = sequence.split(leaf: next.leaf, slot: next.slot)
      root = sequence.join(sequence.join(left, piece), right)
    } else {
      root = sequence.join(root, piece)
    }
    entryCount += size
  }

  /// Returns the depth of the entry before an opening.
  private func depth(before opening: Opening) -> Int32 {
    opening.following.map { depth(before: $0) } ?? sequence.summary(of: root).sum
  }

  /// Cuts consecutive subtrees out of the sequence.
  ///
  /// Their nodes stay allocated.
  ///
  /// - Complexity: O(log *n*).
  mutating func cut(_ stretch: Stretch) -> Cutting {
    let (first, next, size) = (stretch.first, stretch.following, stretch.size)
    let node = node(at: first)
    let depthBefore = depth(before: first)
    self[self[node].parent].childCount -= stretch.rootCount
    entryCount -= size
    if let next {
      sequence[next.leaf, next.slot].step = next.depth - depthBefore
      // The removal of a single entry refreshes the summaries above its leaf.
      if size > 1 || next.leaf != first.leaf { sequence.refresh(changed: next.leaf) }
    }
    if size == 1 {
      sequence.remove(leaf: first.leaf, slot: first.slot, root: &root)
      return Cutting(node: node, root: nil, size: 1)
    }
    var (left, piece) = sequence.split(leaf: first.leaf, slot: first.slot)
    if next != nil {
      let (leaf, slot, _) = sequence.locate(size, in: piece)
      let right: Sequence.Root
      (piece, right) = sequence.split(leaf: leaf, slot: slot)
      left = sequence.join(left, right)
    }
    root = left
    setFirstStep(of: piece, to: 0)
    return Cutting(node: node, root: piece, size: size)
  }

  /// Returns the nodes of a cut subtree in pre-order.
  ///
  /// - Complexity: O(*m*).
  func nodes(of cutting: Cutting, passing pass: (Int) -> Void = { _ in }) -> [NodeID] {
    guard let piece = cutting.root else { return [cutting.node] }
    var nodes: [NodeID] = []
    nodes.reserveCapacity(Int(cutting.size))
    var leaf: Int32? = sequence.locate(0, in: piece).leaf
    while let current = leaf {
      pass(Int(sequence.count(ofLeaf: current)))
      for slot in 0..<sequence.count(ofLeaf: current) {
        nodes.append(sequence[current, slot].node)
      }
      leaf = sequence.leaf(after: current)
    }
    return nodes
  }

  /// Frees the entries of a cut subtree.
  mutating func release(_ cutting: Cutting, passing pass: (Int) -> Void = { _ in }) {
    if let piece = cutting.root { sequence.release(piece, passing: pass) }
  }

  private mutating func setFirstStep(of piece: Sequence.Root, to step: Int32) {
    let leaf = sequence.locate(0, in: piece).leaf
    sequence[leaf, 0].step = step
    sequence.refresh(changed: leaf)
  }

  /// Returns the nodes that a transaction removed.
  ///
  /// - Complexity: O(steps + nodes removed).
  func removedNodes(of done: Transaction<Width>) -> [NodeID] {
    done.inverses.flatMap { inverse in
      if case .removed(let cutting, _, _) = inverse { return nodes(of: cutting) }
      return []
    }
  }
}

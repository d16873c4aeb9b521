extension Forest {
  /// What was cut out of the sequence: a subtree to be pasted, or several to be released.
  struct Cutting: Sendable {
    /// The root, or the first one's.
    var node: NodeID
    /// The cut-out entries, the first one's step 0; nil for a single node.
    var root: Sequence.Root?
    var size: Int32
  }

  /// Where a child of a node would come to stand.
  struct Opening: Sendable {
    var parent: NodeID
    /// The position the new entry gets.
    var position: Int32
    /// The depth the new entry gets.
    var depth: Int32
  }

  /// - Precondition: `index` is at most the child count.
  /// - Complexity: O(log *n*).
  func opening(under parent: NodeID, at index: Int) -> Opening {
    let place = place(of: parent)
    let position =
      index == Int(childCounts[parent.offset])
      ? subtreeEnd(place) : child(index, of: place).position
    return Opening(parent: parent, position: position, depth: place.depth + 1)
  }

  /// Links a node that has no children yet.
  ///
  /// - Complexity: O(log *n*).
  mutating func link(_ node: NodeID, at opening: Opening) {
    let before = place(at: opening.position - 1)
    // The insertion refreshes what is above its leaf.
    adjustStep(after: before, by: before.depth - opening.depth, refreshing: false)
    sequence.insert(
      Entry(owner: node.index, step: opening.depth - before.depth),
      leaf: before.leaf,
      slot: before.slot + 1,
      root: &root
    )
    entryCount += 1
    adopt(node, by: opening.parent)
  }

  /// Links subtrees side by side, given in pre-order, each node with its depth below their parent's
  /// children.
  ///
  /// - Complexity: O(*m* + log *n*) for *m* nodes.
  mutating func link(_ run: [(node: NodeID, depth: Int32)], at opening: Opening) {
    var entries: [Entry] = []
    entries.reserveCapacity(run.count)
    // What the next node of each depth stands under.
    var path = [opening.parent]
    var last: Int32 = 0
    for (node, depth) in run {
      entries.append(Entry(owner: node.index, step: depth - last))
      last = depth
      path.removeLast(path.count - Int(depth) - 1)
      adopt(node, by: path[Int(depth)])
      path.append(node)
    }
    let piece = sequence.build(entries)
    splice(piece, size: Int32(run.count), at: opening)
  }

  private mutating func adopt(_ node: NodeID, by parent: NodeID) {
    parents[node.offset] = parent
    childCounts[parent.offset] += 1
  }

  /// Puts a cut-out subtree into the sequence.
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

  private mutating func splice(_ piece: Sequence.Root, size: Int32, at opening: Opening) {
    let before = place(at: opening.position - 1)
    let lastDepth = opening.depth + sequence.summary(of: piece).sum
    adjustStep(after: before, by: before.depth - lastDepth)
    setFirstStep(of: piece, to: opening.depth - before.depth)
    let (left, right) = sequence.split(leaf: before.leaf, slot: before.slot + 1)
    root = sequence.join(sequence.join(left, piece), right)
    entryCount += size
  }

  /// Takes subtrees that stand side by side out of the sequence; their nodes stay allocated.
  ///
  /// - Complexity: O(log *n*).
  mutating func cut(from place: Place, to end: Int32, rootCount: Int32) -> Cutting {
    let node = node(at: place)
    let before = self.place(at: place.position - 1)
    let last = end == place.position + 1 ? place : self.place(at: end - 1)
    // Taking out a single entry refreshes what is above its leaf.
    let isSingle = end == place.position + 1
    adjustStep(after: last, by: last.depth - before.depth, refreshing: !isSingle)
    childCounts[parents[node.offset].offset] -= rootCount
    let isLast = end == entryCount
    entryCount -= end - place.position
    if isSingle {
      sequence.remove(leaf: place.leaf, slot: place.slot, root: &root)
      return Cutting(node: node, root: nil, size: 1)
    }
    let (left, rest) = sequence.split(leaf: place.leaf, slot: place.slot)
    let size = end - place.position
    let piece: Sequence.Root
    if isLast {
      piece = rest
      root = left
    } else {
      let (leaf, slot, _) = sequence.locate(size, in: rest)
      let (middle, right) = sequence.split(leaf: leaf, slot: slot)
      piece = middle
      root = sequence.join(left, right)
    }
    setFirstStep(of: piece, to: 0)
    return Cutting(node: node, root: piece, size: size)
  }

  /// The nodes of a cut-out subtree in pre-order.
  ///
  /// - Complexity: O(*m*).
  func nodes(of cutting: Cutting) -> [NodeID] {
    guard let piece = cutting.root else { return [cutting.node] }
    var nodes: [NodeID] = []
    nodes.reserveCapacity(Int(cutting.size))
    var leaf: Int32? = sequence.locate(0, in: piece).leaf
    while let current = leaf {
      for slot in 0..<Int(sequence.leafCount[Int(current)]) {
        nodes.append(sequence[current, slot].node)
      }
      leaf = sequence.leaf(after: current)
    }
    return nodes
  }

  /// Gives the entries of a cut-out subtree back to the pool.
  mutating func release(_ cutting: Cutting) {
    if let piece = cutting.root { sequence.release(piece) }
  }

  /// Changes the step behind a place; `refreshing`: even if the caller will, in the same leaf.
  private mutating func adjustStep(after place: Place, by change: Int32, refreshing: Bool = true) {
    guard change != 0, let next = next(place) else { return }
    sequence[next.leaf, next.slot].step += change
    if refreshing || next.leaf != place.leaf { sequence.refresh(from: next.leaf, height: 0) }
  }

  private mutating func setFirstStep(of piece: Sequence.Root, to step: Int32) {
    let leaf = sequence.locate(0, in: piece).leaf
    sequence[leaf, 0].step = step
    sequence.refresh(from: leaf, height: 0)
  }
}

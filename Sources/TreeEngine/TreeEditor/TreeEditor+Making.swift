// Insertion in two steps: nodes are made, which gives them ids, and then linked in any order.
extension TreeEditor {
  /// Makes nodes that have no place in the tree until ``link(_:under:at:counting:)`` is called.
  mutating func make(
    _ nodes: ArraySlice<NewNode>,
    bytes: [UInt8],
    counting count: StepCounter
  ) throws(TreeError) -> [NodeID] {
    let made = try allocate(nodes, bytes, expected: expect(nodes.first, in: bytes), count)
    return Array(transaction?.made[made] ?? [])
  }

  /// Links made nodes as subtrees side by side.
  mutating func link(
    _ run: [(node: NodeID, depth: Int32)],
    under parent: NodeID,
    at index: Int,
    counting count: StepCounter
  ) throws(TreeError) {
    let deepest = run.reduce(0) { max($0, $1.depth) }
    let opening = try checkedOpening(under: parent, at: index, deepest: Int(deepest))
    try TreeError.uninterrupted { () throws(Interruption) in
      try link(run, at: opening, index: index, count)
    }
  }

  /// Links made nodes, all of them even if `count` throws.
  mutating func link(
    _ run: [(node: NodeID, depth: Int32)],
    at opening: Forest<Width>.Opening,
    index: Int,
    _ count: StepCounter
  ) throws(Interruption) {
    if run.count == 1 { return link(run[0].node, at: opening, index: index) }
    try Interruption.completing(count) { pass in
      link(run, at: opening, index: index, passing: pass)
    }
  }

  private mutating func link(
    _ run: [(node: NodeID, depth: Int32)],
    at opening: Forest<Width>.Opening,
    index: Int,
    passing pass: PauseCounter
  ) {
    let parent = opening.parent
    let roots = run.reduce(0) { $0 + ($1.depth == 0 ? 1 : 0) }
    record(.linked(run[0].node, count: Int32(roots), at: .init(parent: parent, index: index)))
    gainChild(parent)
    base.forest.link(run, at: opening, passing: pass)
    loadParents(run, passing: pass)
    transaction?.unlinkedCount -= run.count
    didLink(at: opening, count: Int32(run.count), toggled: [])
  }

  /// Links a single node.
  mutating func link(_ node: NodeID, at opening: Forest<Width>.Opening, index: Int) {
    record(.linked(node, count: 1, at: .init(parent: opening.parent, index: index)))
    gainChild(opening.parent)
    base.forest.link(node, at: opening)
    transaction?.unlinkedCount -= 1
    didLink(at: opening, count: 1, toggled: [])
  }

  private mutating func loadParents(
    _ run: [(node: NodeID, depth: Int32)],
    passing pass: PauseCounter
  ) {
    for (place, next) in zip(run.indices, run.dropFirst()) {
      if place % Forest<Width>.nodesPerPass == 0 { pass(Forest<Width>.nodesPerPass) }
      guard next.depth > run[place].depth else { continue }
      let parent = run[place].node
      if base.forest[parent].childState != .loaded {
        base.forest.storeChildState(.loaded, hint: nil, of: parent)
      }
    }
  }

  /// Prefetches the place of a node's key, and returns its hash; 0 for no node.
  func expect(_ node: NewNode?, in bytes: [UInt8]) -> UInt32 {
    guard let node else { return 0 }
    return base.forest.expect(bytes.span.extracting(node.key))
  }

  /// Makes nodes, and returns their range in ``Transaction/made``.
  ///
  /// - Parameters:
  ///   - nodes: The nodes.
  ///   - bytes: The bytes that the ranges of the nodes refer to.
  ///   - first: The result of ``expect(_:in:)`` for the first node.
  ///   - count: Counts the steps.
  /// - Returns: The range.
  /// - Throws: ``TreeError/duplicateKey(offset:)``; no node is made then.
  ///   ``TreeError/interrupted`` if `count` throws; the transaction must be rolled back then.
  mutating func allocate(
    _ nodes: ArraySlice<NewNode>,
    _ bytes: [UInt8],
    expected first: UInt32,
    _ count: StepCounter
  ) throws(TreeError) -> Range<Int> {
    guard let start = transaction?.made.count else {
      preconditionFailure("mutations belong in a transaction")
    }
    let span = bytes.span
    var hash = first
    for place in nodes.indices {
      let new = nodes[place]
      let next = place + 1 < nodes.endIndex ? expect(nodes[place + 1], in: bytes) : 0
      let node = base.forest.allocate(
        key: span.extracting(new.key),
        hash: hash,
        object: span.extracting(new.object),
        childState: new.childState,
        hint: new.hint
      )
      guard let node else {
        let offset = place - nodes.startIndex
        for _ in 0..<offset { if let node = transaction?.made.popLast() { unmake(node) } }
        throw TreeError.duplicateKey(offset: offset)
      }
      base.forest.recordUnloaded(node, 1)
      transaction?.made.append(node)
      hash = next
      if (place - nodes.startIndex) % Forest<Width>.nodesPerPass == Forest<Width>.nodesPerPass - 1 {
        try TreeError.uninterrupted { () throws(Interruption) in
          try count(Self.stepsToMake * Forest<Width>.nodesPerPass)
        }
      }
    }
    transaction?.unlinkedCount += nodes.count
    return start..<(start + nodes.count)
  }

  /// The number of steps that are counted for making a node.
  private static var stepsToMake: Int { 2 }

  /// Frees a node that is not linked.
  mutating func unmake(_ node: NodeID) {
    base.forest.unregisterKey(of: node)
    base.forest.recordUnloaded(node, -1)
    base.forest.deallocate(node)
  }
}

extension SizedTree {
  /// Inserts a subtree, or several side by side, as children of a node.
  ///
  /// - Parameters:
  ///   - nodes: The subtrees in pre-order. The depths are relative to the parent's children. A node
  ///     with descendants becomes `loaded`.
  ///   - bytes: The bytes that the ranges of the nodes refer to.
  ///   - parent: The parent; ``NodeID/forestRoot`` for roots.
  ///   - index: The number of siblings before the first subtree.
  ///   - hash: The hash of the first node's key, if it was prefetched; see ``expect(_:)``.
  ///   - count: Counts the steps.
  /// - Returns: The root of the first subtree.
  /// - Throws: ``TreeError/duplicateKey(offset:)``, ``TreeError/indexOutOfRange(childCount:)``,
  ///   ``TreeError/depthLimit(_:)``. ``TreeError/interrupted`` if `count` throws; the transaction
  ///   must be rolled back then.
  /// - Complexity: O(*m* + log *n*) for *m* nodes, on average.
  @specialized(where Width == Fanout<64>)
  @discardableResult
  public mutating func insert(
    _ nodes: ArraySlice<NewNode>,
    bytes: [UInt8],
    under parent: NodeID,
    at index: Int,
    hash: UInt32? = nil,
    counting count: StepCounter
  ) throws(TreeError) -> NodeID {
    // The key's slot in the key table is loaded while the place is searched.
    let hash = hash ?? expect(nodes.first, in: bytes)
    let deepest = nodes.reduce(0) { max($0, $1.depth) }
    let opening = try checkedOpening(under: parent, at: index, deepest: deepest)
    let start = try allocate(nodes, bytes, expected: hash, count).lowerBound
    guard let root = transaction?.made[start] else {
      preconditionFailure("mutations belong in a transaction")
    }
    guard nodes.count > 1 else {
      link(root, at: opening, index: index)
      return root
    }
    var run: [(node: NodeID, depth: Int32)] = []
    run.reserveCapacity(nodes.count)
    for (offset, new) in nodes.enumerated() {
      guard let node = transaction?.made[start + offset] else { break }
      run.append((node, Int32(new.depth)))
    }
    try TreeError.uninterrupted { () throws(Interruption) in
      try link(run, at: opening, index: index, count)
    }
    return root
  }

  /// Returns the place for new children of a node, after a check of the index and the depth.
  ///
  /// - Parameters:
  ///   - parent: The parent.
  ///   - index: The number of siblings before the new children.
  ///   - deepest: The maximum depth of the subtrees below their roots.
  /// - Returns: The place.
  /// - Throws: ``TreeError/indexOutOfRange(childCount:)``, ``TreeError/depthLimit(_:)``.
  func checkedOpening(
    under parent: NodeID,
    at index: Int,
    deepest: Int
  ) throws(TreeError) -> Forest<Width>.Opening {
    let childCount = Int(forest[parent].childCount)
    guard index >= 0, index <= childCount else {
      throw TreeError.indexOutOfRange(childCount: childCount)
    }
    let opening = forest.opening(under: parent, at: index)
    if Int(opening.depth) - 1 + deepest > maxDepth { throw TreeError.depthLimit(maxDepth) }
    return opening
  }

  /// Returns true if the children of a node are `unloaded` or `failed`.
  func isUnloaded(_ node: NodeID) -> Bool {
    let state = forest[node].childState
    return state == .unloaded || state == .failed
  }

  mutating func recordUnloaded(_ node: NodeID, _ change: Int) {
    if isUnloaded(node) { unloadedCount += change }
  }

  /// Prepares a node to get a child: records its data, and makes it `loaded`.
  mutating func gainChild(_ parent: NodeID) {
    touch(parent)
    let state = forest[parent].childState
    guard state != .loaded else { return }
    record(.childState(parent, state, hint: forest.hints[parent]))
    storeChildState(.loaded, hint: nil, of: parent)
  }

  /// Removes a node and its descendants; their keys become free.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(*m* + log *n*) for *m* nodes.
  @specialized(where Width == Fanout<64>)
  public mutating func remove(
    _ node: NodeID,
    counting count: StepCounter
  ) throws(Interruption) {
    precondition(node != .forestRoot, "the forest root is not removed")
    let parent = forest[node].parent
    let place = forest.place(of: node)
    let index = forest.childPosition(of: place)
    let subtree = forest.subtree(at: place)
    touch(parent)
    try deselectAll(atOrBelow: node, count)
    try willCut(subtree, .removal, count)
    try freeKeys(of: subtree, count)
    let (cutting, toggled) = cut(subtree)
    record(.removed(cutting, from: .init(parent: parent, index: index), toggled: toggled))
  }

  /// Frees the keys of a subtree that is about to be removed: all, or none if `count` throws.
  private mutating func freeKeys(
    of subtree: Forest<Width>.Stretch,
    _ count: StepCounter
  ) throws(Interruption) {
    var freed: [NodeID] = []
    freed.reserveCapacity(Int(subtree.size))
    var next: Forest<Width>.Place? = subtree.first
    do throws(Interruption) {
      while let place = next, place.position < subtree.end {
        try count(Self.removalSteps)
        let node = forest.node(at: place)
        forest.unregisterKey(of: node)
        recordUnloaded(node, -1)
        freed.append(node)
        next = forest.next(place)
      }
    } catch {
      for node in freed {
        forest.registerKey(of: node)
        recordUnloaded(node, 1)
      }
      throw error
    }
  }

  /// The number of steps that are counted for the removal of a node.
  private static var removalSteps: Int { 4 }

  /// Replaces a node's object.
  ///
  /// - Complexity: O(bytes).
  @specialized(where Width == Fanout<64>)
  public mutating func update(_ node: NodeID, object: Span<UInt8>) {
    guard !isEqual(forest.object(of: node), object) else { return }
    touch(node)
    record(.object(node, forest[node].object))
    forest[node].object = forest.store(object)
  }

  private func isEqual(_ stored: ArraySlice<UInt8>, _ given: Span<UInt8>) -> Bool {
    let stored = stored.isEmpty ? Self.nullBytes[...] : stored
    guard stored.count == given.count else { return false }
    for index in given.indices where stored[stored.startIndex + index] != given[index] {
      return false
    }
    return true
  }

  static var nullBytes: [UInt8] { [0x6E, 0x75, 0x6C, 0x6C] }

  /// Moves a node and its descendants to an index among the children of a node.
  ///
  /// A new parent becomes `loaded`.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - parent: The new parent; ``NodeID/forestRoot`` to make it a root.
  ///   - index: The number of siblings before it, not counting itself.
  ///   - count: Counts the steps.
  /// - Throws: ``TreeError/cycle`` or ``TreeError/indexOutOfRange(childCount:)``.
  ///   ``TreeError/depthLimit(_:)`` if the node moves deeper and a node would be too deep.
  ///   ``TreeError/interrupted`` if `count` throws; the transaction must be rolled back then.
  /// - Complexity: O((*t* + 1) log *n*) for *t* toggled nodes in the subtree, and O(rows moved) if
  ///   they are listed.
  @specialized(where Width == Fanout<64>)
  public mutating func move(
    _ node: NodeID,
    under parent: NodeID,
    at index: Int,
    counting count: StepCounter
  ) throws(TreeError) {
    try move(node, under: parent, at: index, notDeeperThan: maxDepth, count)
  }

  /// Moves a node.
  ///
  /// - Throws: As the public function. The depth is checked only if the node moves deeper, and with
  ///   `limit` instead of ``maxDepth``.
  mutating func move(
    _ node: NodeID,
    under parent: NodeID,
    at index: Int,
    notDeeperThan limit: Int,
    _ count: StepCounter
  ) throws(TreeError) {
    let subtree = forest.subtree(at: forest.place(of: node))
    let target = forest.place(of: parent)
    if subtree.contains(target.position) { throw TreeError.cycle }
    let old = forest[node].parent
    let siblings = Int(forest[parent].childCount) - (old == parent ? 1 : 0)
    guard index >= 0, index <= siblings else {
      throw TreeError.indexOutOfRange(childCount: siblings)
    }
    let isDeeper = target.depth + 1 > subtree.first.depth
    if isDeeper, try goesDeeper(subtree, than: limit - Int(target.depth), count) {
      throw TreeError.depthLimit(limit)
    }
    let oldIndex = forest.childPosition(of: subtree.first)
    if old == parent, oldIndex == index { return }
    try TreeError.uninterrupted { () throws(Interruption) in
      try willCut(subtree, .move, count)
    }
    touch(old)
    if old != parent { gainChild(parent) }
    transaction?.moved.insert(node)
    record(
      .moved(
        node,
        from: .init(parent: old, index: oldIndex),
        to: .init(parent: parent, index: index)
      )
    )
    let (cutting, toggled) = cut(subtree)
    paste(cutting, under: parent, at: index, toggled: toggled, isMove: true)
  }

  /// Returns true if a node or a descendant is deeper than ``maxDepth``.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - count: Counts the steps.
  /// - Returns: True if one of them is too deep.
  /// - Throws: ``TreeError/interrupted`` if `count` throws.
  /// - Complexity: O(*m*) for the *m* nodes of the subtree if there are enough to be too deep, else
  ///   O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func isTooDeep(
    atOrBelow node: NodeID,
    counting count: StepCounter
  ) throws(TreeError) -> Bool {
    let place = forest.place(of: node)
    return try goesDeeper(forest.subtree(at: place), than: maxDepth - (Int(place.depth) - 1), count)
  }

  /// Returns true if a subtree has nodes that are more than `room` levels below its root.
  ///
  /// The nodes are read only if there are enough of them.
  private func goesDeeper(
    _ subtree: Forest<Width>.Stretch,
    than room: Int,
    _ count: StepCounter
  ) throws(TreeError) -> Bool {
    guard Int(subtree.size) - 1 > room || room < 0 else { return false }
    var next: Forest<Width>.Place? = subtree.first
    while let current = next, current.position < subtree.end {
      try TreeError.uninterrupted { () throws(Interruption) in try count(1) }
      if Int(current.depth - subtree.first.depth) > room { return true }
      next = forest.next(current)
    }
    return false
  }
}

extension TreeEditor {
  /// Sets the state of a node's children, and the number to report until they are loaded.
  mutating func setChildState(_ state: ChildState, hint: Int32? = nil, of node: NodeID) {
    precondition(state != .leaf || base.forest[node].childCount == 0, "a leaf with children")
    precondition(hint == nil || (state != .leaf && state != .loaded), "a hint of what is known")
    let old = base.forest[node].childState
    guard old != state || base.forest.hints[node] != hint else { return }
    touch(node)
    if state == .leaf { forgetToggles(of: node) }
    record(.childState(node, old, hint: base.forest.hints[node]))
    base.forest.storeChildState(state, hint: hint, of: node)
  }

  private mutating func forgetToggles(of node: NodeID) {
    for slot in base.watchers.indices {
      if base.watchers[slot].view.isToggled(node) {
        base.watchers[slot].touchToggle(of: node)
        record(.toggled(node, view: slot))
        base.watchers[slot].view.toggle(node, in: base.forest, base.indexes)
      }
      if base.watchers[slot].aside?.isToggled(node) == true {
        record(.toggledAside(node, view: slot))
        base.watchers[slot].aside?.toggle(node, in: base.forest, base.indexes)
      }
    }
  }

  /// Inserts a subtree, or several side by side, as children of a node.
  @discardableResult
  mutating func insert(
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
    let childCount = Int(base.forest[parent].childCount)
    guard index >= 0, index <= childCount else {
      throw TreeError.indexOutOfRange(childCount: childCount)
    }
    let opening = base.forest.opening(under: parent, at: index)
    if Int(opening.depth) - 1 + deepest > maxDepth { throw TreeError.depthLimit(maxDepth) }
    return opening
  }

  /// Prepares a node to get a child: records its data, and makes it `loaded`.
  mutating func gainChild(_ parent: NodeID) {
    touch(parent)
    let state = base.forest[parent].childState
    guard state != .loaded else { return }
    record(.childState(parent, state, hint: base.forest.hints[parent]))
    base.forest.storeChildState(.loaded, hint: nil, of: parent)
  }

  /// Removes a node and its descendants; their keys become free.
  mutating func remove(
    _ node: NodeID,
    counting count: StepCounter
  ) throws(Interruption) {
    precondition(node != .forestRoot, "the forest root is not removed")
    let parent = base.forest[node].parent
    let place = base.forest.place(of: node)
    let index = base.forest.childPosition(of: place)
    let subtree = base.forest.subtree(at: place)
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
        let node = base.forest.node(at: place)
        base.forest.unregisterKey(of: node)
        base.forest.recordUnloaded(node, -1)
        freed.append(node)
        next = base.forest.next(place)
      }
    } catch {
      for node in freed {
        base.forest.registerKey(of: node)
        base.forest.recordUnloaded(node, 1)
      }
      throw error
    }
  }

  /// The number of steps that are counted for the removal of a node.
  private static var removalSteps: Int { 4 }

  /// Replaces a node's object.
  mutating func update(_ node: NodeID, object: Span<UInt8>) {
    guard !isEqual(base.forest.object(of: node), object) else { return }
    touch(node)
    record(.object(node, base.forest[node].object))
    base.forest[node].object = base.forest.store(object)
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
  mutating func move(
    _ node: NodeID,
    under parent: NodeID,
    at index: Int,
    counting count: StepCounter
  ) throws(TreeError) {
    try move(node, under: parent, at: index, notDeeperThan: maxDepth, count)
  }

  /// Moves a node.
  ///
  /// - Throws: As ``SizedTree/move(_:under:at:counting:)``. The depth is checked only if the node
  ///   moves deeper, and with `limit` instead of ``maxDepth``.
  mutating func move(
    _ node: NodeID,
    under parent: NodeID,
    at index: Int,
    notDeeperThan limit: Int,
    _ count: StepCounter
  ) throws(TreeError) {
    let subtree = base.forest.subtree(at: base.forest.place(of: node))
    let target = base.forest.place(of: parent)
    if subtree.contains(target.position) { throw TreeError.cycle }
    let old = base.forest[node].parent
    let siblings = Int(base.forest[parent].childCount) - (old == parent ? 1 : 0)
    guard index >= 0, index <= siblings else {
      throw TreeError.indexOutOfRange(childCount: siblings)
    }
    let isDeeper = target.depth + 1 > subtree.first.depth
    if isDeeper, try goesDeeper(subtree, than: limit - Int(target.depth), count) {
      throw TreeError.depthLimit(limit)
    }
    let oldIndex = base.forest.childPosition(of: subtree.first)
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
  func isTooDeep(
    atOrBelow node: NodeID,
    counting count: StepCounter
  ) throws(TreeError) -> Bool {
    let place = base.forest.place(of: node)
    return try goesDeeper(
      base.forest.subtree(at: place),
      than: maxDepth - (Int(place.depth) - 1),
      count
    )
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
      next = base.forest.next(current)
    }
    return false
  }
}

// Updates an ordering after changes of the data: nodes that are out of order are cut out and
// inserted again.
extension Ordering {
  /// A function that returns true if a node comes before a sibling.
  typealias Precedes = (NodeID, NodeID) throws(Interruption) -> Bool

  /// Returns true if it is cheaper to sort all nodes anew than to place some of them.
  ///
  /// - Parameters:
  ///   - changes: The number of nodes to place.
  ///   - count: The number of all nodes.
  /// - Returns: True to sort them.
  static func isRebuilt(after changes: Int, of count: Int) -> Bool {
    changes > fewChanges && changes * rebuildFactor > count
  }

  /// Updates the ordering after changes of the data.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - doubtful: Further nodes that may be out of order. The siblings that neither parameter
  ///     names are in order.
  ///   - forest: The tree after the changes.
  ///   - count: Counts the steps.
  ///   - precedes: Compares siblings.
  /// - Throws: The error of counting or comparing. ``rollBack()`` undoes what was done.
  mutating func follow(
    _ changes: DataChanges<Width>,
    doubting doubtful: [NodeID],
    in forest: borrowing Forest<Width>,
    _ count: (Int) throws(Interruption) -> Void,
    precedes: Precedes
  ) throws(Interruption) {
    // Computed before anything is cut out: nodes that are cut out are absent, too, but not new.
    var new: [NodeID] = []
    for node in changes.touched.nodes where forest.isAttached(node) && !contains(node) {
      new.append(node)
    }
    try count(changes.touched.nodes.count)
    try cutDisplaced(changes, doubtful, in: forest, precedes, count)
    try putInAll(new, in: forest, precedes, count)
  }

  /// The number of changes up to which nodes are placed one by one, even in a small tree.
  private static var fewChanges: Int { Width.fanout }
  /// The number of nodes that are sorted anew in the time in which one is placed.
  private static var rebuildFactor: Int { 16 }
  /// The number of steps that are counted for placing a node.
  private static var stepsPerNode: Int { 16 }

  /// Cuts out nodes that have another parent now, that were removed, or that are out of order with
  /// an adjacent sibling.
  ///
  /// The others are in order, because two unchanged siblings keep their order.
  private mutating func cutDisplaced(
    _ changes: DataChanges<Width>,
    _ doubtful: [NodeID],
    in forest: borrowing Forest<Width>,
    _ precedes: Precedes,
    _ count: (Int) throws(Interruption) -> Void
  ) throws(Interruption) {
    var named = NodeSet()
    var places: [(position: Int32, node: NodeID)] = []
    for node in doubtful + changes.moved + changes.removed {
      try count(1)
      guard contains(node), forest.isAttached(node) || isTop(node, forest),
        named.insert(node)
      else { continue }
      places.append((position(of: node), node))
    }
    // From the last to the first, so that descendants and later siblings are handled before a node.
    places.sort { $0.position > $1.position }
    for (_, node) in places where contains(node) {
      try count(Self.stepsPerNode)
      let (before, behind) = neighbours(of: node)
      // If the sibling before is named, too, it is compared with this node in its own turn.
      let fixed = before.flatMap { named.place(of: $0) == nil ? $0 : nil }
      if isLeaving(node, forest) {
        cut(node)
      } else {
        var fits = true
        if let behind { fits = try precedes(node, behind) }
        if fits, let fixed { fits = try precedes(fixed, node) }
        if fits { continue }
        cut(node)
      }
      guard let fixed else { continue }
      var next = behind
      while let other = next, named.place(of: other) != nil {
        try count(Self.stepsPerNode)
        if try precedes(fixed, other) { break }
        next = neighbours(of: other).behind
        cut(other)
      }
    }
  }

  /// Returns true if a removed node is not below another removed node here.
  private func isTop(_ node: NodeID, _ forest: borrowing Forest<Width>) -> Bool {
    let parent = parent(of: node)
    return parent == .forestRoot || forest.isAttached(parent)
  }

  /// Returns true if a node was removed or has another parent now.
  private func isLeaving(_ node: NodeID, _ forest: borrowing Forest<Width>) -> Bool {
    !forest.isAttached(node) || forest[node].parent != parent(of: node)
  }

  /// Inserts the new nodes and those that were cut out but not removed, parents first.
  private mutating func putInAll(
    _ new: [NodeID],
    in forest: borrowing Forest<Width>,
    _ precedes: Precedes,
    _ count: (Int) throws(Interruption) -> Void
  ) throws(Interruption) {
    var coming: [(position: Int32, node: NodeID)] = []
    for node in new + cutNodes {
      try count(1)
      if let place = forest.place(ofAttached: node) { coming.append((place.position, node)) }
    }
    coming.sort { $0.position < $1.position }
    for (_, node) in coming {
      try count(Self.stepsPerNode)
      let parent = forest[node].parent
      let index = try sortedIndex(of: node, under: parent, precedes)
      paste(node, under: parent, at: index)
    }
  }

  /// Returns the number of children of `parent` that come before a node.
  private func sortedIndex(
    of node: NodeID,
    under parent: NodeID,
    _ precedes: Precedes
  ) throws(Interruption) -> Int {
    var low = 0
    var high = childCount(of: parent)
    guard high > 0 else { return 0 }
    let above = place(of: parent)
    while low < high {
      let middle = (low + high) / 2
      let sibling = child(middle, of: above)
      if try precedes(sibling, node) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Calls a function with the nodes in order, until it returns false.
  ///
  /// The nodes are read in slices, so that the function may read the ordering, too.
  func forEachNode(after node: NodeID?, _ body: (NodeID) -> Bool) {
    var slice: [NodeID] = []
    repeat {
      let last = slice.last ?? node
      slice = nodes.read { forest in
        var slice: [NodeID] = []
        forest.forEachNode(after: last) { node in
          slice.append(node)
          return slice.count < Self.nodesPerSlice
        }
        return slice
      }
      guard slice.allSatisfy(body) else { return }
    } while slice.count == Self.nodesPerSlice
  }

  /// The number of nodes that are read at a time.
  private static var nodesPerSlice: Int { 256 }
}

// Updates an ordering after changes of the data: nodes that are out of order are cut out and
// inserted again.
extension SizedTree {
  /// Updates an ordering after changes of the data.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - doubtful: Further nodes that may be out of order. The siblings that neither parameter
  ///     names are in order.
  ///   - place: The index of the ordering in `orderings`.
  ///   - sorter: Sorts siblings.
  ///   - count: Counts the steps.
  /// - Throws: The error of counting or sorting. ``Ordering/rollBack()`` undoes what was done.
  mutating func follow(
    _ changes: DataChanges<Width>,
    doubting doubtful: [NodeID],
    at place: Int,
    _ sorter: any SiblingSorter<Width>,
    _ count: StepCounter
  ) throws(Interruption) {
    var ordering = orderings[place]
    // The ordering is stored even after an error, because its edits are needed for the rollback.
    defer { orderings[place] = ordering }
    let made = changes.touched.nodes.count + doubtful.count
    if made > Self.fewChanges, made * Self.rebuildFactor > forest.nodeCount {
      let nodes = try orderedNodes(sorter, count)
      return ordering.replace(by: nodes)
    }
    // Computed before anything is cut out: nodes that are cut out are absent, too, but not new.
    let new = changes.touched.nodes.filter { forest.isAttached($0) && !ordering.contains($0) }
    try count(changes.touched.nodes.count)
    try cutDisplaced(changes, doubtful, out: &ordering, sorter, count)
    try putInAll(new, &ordering, sorter, count)
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
  private func cutDisplaced(
    _ changes: DataChanges<Width>,
    _ doubtful: [NodeID],
    out ordering: inout Ordering<Width>,
    _ sorter: any SiblingSorter<Width>,
    _ count: StepCounter
  ) throws(Interruption) {
    var named = NodeSet()
    var places: [(position: Int32, node: NodeID)] = []
    for node in doubtful + changes.moved + changes.removed {
      try count(1)
      guard ordering.contains(node), forest.isAttached(node) || isTop(node, in: ordering),
        named.insert(node)
      else { continue }
      places.append((ordering.position(of: node), node))
    }
    // From the last to the first, so that descendants and later siblings are handled before a node.
    places.sort { $0.position > $1.position }
    for (_, node) in places where ordering.contains(node) {
      try count(Self.stepsPerNode)
      let (before, behind) = ordering.neighbours(of: node)
      // If the sibling before is named, too, it is compared with this node in its own turn.
      let fixed = before.flatMap { named.place(of: $0) == nil ? $0 : nil }
      if isLeaving(node, ordering) {
        ordering.cut(node)
      } else {
        var fits = true
        if let behind { fits = try precedes(node, behind, sorter) }
        if fits, let fixed { fits = try precedes(fixed, node, sorter) }
        if fits { continue }
        ordering.cut(node)
      }
      guard let fixed else { continue }
      var next = behind
      while let other = next, named.place(of: other) != nil {
        try count(Self.stepsPerNode)
        if try precedes(fixed, other, sorter) { break }
        next = ordering.neighbours(of: other).behind
        ordering.cut(other)
      }
    }
  }

  /// Returns true if a removed node is not below another removed node here.
  private func isTop(_ node: NodeID, in ordering: Ordering<Width>) -> Bool {
    let parent = ordering.parent(of: node)
    return parent == .forestRoot || forest.isAttached(parent)
  }

  /// Returns true if a node was removed or has another parent now.
  private func isLeaving(_ node: NodeID, _ ordering: Ordering<Width>) -> Bool {
    !forest.isAttached(node) || forest[node].parent != ordering.parent(of: node)
  }

  /// Inserts the new nodes and those that were cut out but not removed, parents first.
  private func putInAll(
    _ new: [NodeID],
    _ ordering: inout Ordering<Width>,
    _ sorter: any SiblingSorter<Width>,
    _ count: StepCounter
  ) throws(Interruption) {
    var coming: [(position: Int32, node: NodeID)] = []
    for node in new + ordering.cutNodes {
      try count(1)
      if let place = forest.place(ofAttached: node) { coming.append((place.position, node)) }
    }
    coming.sort { $0.position < $1.position }
    for (_, node) in coming {
      try count(Self.stepsPerNode)
      let parent = forest[node].parent
      let index = try sortedIndex(of: node, under: parent, ordering, sorter)
      ordering.paste(node, under: parent, at: index)
    }
  }

  /// Returns the number of children of `parent` that come before a node.
  private func sortedIndex(
    of node: NodeID,
    under parent: NodeID,
    _ ordering: Ordering<Width>,
    _ sorter: any SiblingSorter<Width>
  ) throws(Interruption) -> Int {
    var low = 0
    var high = ordering.childCount(of: parent)
    guard high > 0 else { return 0 }
    let above = ordering.place(of: parent)
    while low < high {
      let middle = (low + high) / 2
      let sibling = ordering.child(middle, of: above)
      if try precedes(sibling, node, sorter) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns true if a node comes before a sibling.
  ///
  /// Equal siblings are in the order of the tree.
  private func precedes(
    _ left: NodeID,
    _ right: NodeID,
    _ sorter: any SiblingSorter<Width>
  ) throws(Interruption) -> Bool {
    let result = try sorter.compare(left, right, in: self)
    if result != 0 { return result < 0 }
    return forest.place(of: left).position < forest.place(of: right).position
  }
}

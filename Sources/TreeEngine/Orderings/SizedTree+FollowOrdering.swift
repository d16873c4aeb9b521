// An ordering follows changes of the data: nodes that no longer stand right are cut out of it, and
// put in again where they belong.
extension SizedTree {
  /// Lets an ordering follow changes.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - doubtful: The nodes that may stand wrong among siblings that are not named.
  ///   - place: The place of the ordering.
  ///   - sorter: Sorts siblings.
  ///   - count: Counts the steps.
  /// - Throws: The error of counting or sorting; ``Ordering/rollBack()`` takes back what was done.
  mutating func follow(
    _ changes: DataChanges<Width>,
    doubting doubtful: [NodeID],
    at place: Int,
    _ sorter: any SiblingSorter<Width>,
    _ count: StepCounter
  ) throws(Interruption) {
    var ordering = orderings[place]
    // Whatever is thrown, the ordering knows what to take back.
    defer { orderings[place] = ordering }
    let made = changes.touched.nodes.count + doubtful.count
    if made > Self.fewChanges, made * Self.rebuildFactor > forest.nodeCount {
      let nodes = try orderedNodes(sorter, count)
      return ordering.replace(by: nodes)
    }
    // Asked before anything is cut out, with which go nodes that are not new.
    let new = changes.touched.nodes.filter { forest.isAttached($0) && !ordering.contains($0) }
    try count(changes.touched.nodes.count)
    try cutDisplaced(changes, doubtful, out: &ordering, sorter, count)
    try putInAll(new, &ordering, sorter, count)
  }

  /// The number of changes that are followed one by one, however few nodes there are.
  private static var fewChanges: Int { Width.fanout }
  /// The number of nodes that are sorted in the time in which one is placed.
  private static var rebuildFactor: Int { 16 }
  /// About so many nodes are passed in the time in which one is placed.
  private static var stepsPerNode: Int { 16 }

  /// Cuts out nodes that have another parent now, that were removed, or that do not fit between
  /// the siblings beside them.
  ///
  /// All others are in order: two that nothing happened to stand as they did.
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
    // From the last to the first: what is below a node comes before it, and so does what stands
    // behind it.
    places.sort { $0.position > $1.position }
    for (_, node) in places where ordering.contains(node) {
      try count(Self.stepsPerNode)
      let (before, behind) = ordering.neighbours(of: node)
      // One that is named is compared with what is behind it when its turn comes.
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

  /// Returns true if a node that was removed is not below another one here.
  private func isTop(_ node: NodeID, in ordering: Ordering<Width>) -> Bool {
    let parent = ordering.parent(of: node)
    return parent == .forestRoot || forest.isAttached(parent)
  }

  /// Returns true if a node is not a child of the same node any more.
  private func isLeaving(_ node: NodeID, _ ordering: Ordering<Width>) -> Bool {
    !forest.isAttached(node) || forest[node].parent != ordering.parent(of: node)
  }

  /// Puts in what was cut out and is still there, and what was made; parents first.
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

  /// The number of children that come before a node.
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

  /// Returns true if a node comes before a sibling; equal ones keep the order of the tree.
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

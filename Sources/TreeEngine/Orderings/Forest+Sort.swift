extension Forest {
  /// Lists all nodes with their depths, in a pre-order in which siblings are sorted.
  ///
  /// - Parameters:
  ///   - count: Counts the steps.
  ///   - sort: Sorts the children of a node.
  /// - Returns: The nodes.
  /// - Throws: The error that `count` or `sort` throws.
  /// - Complexity: O(*n*), and the cost of sorting.
  func sortedRun(
    counting count: (Int) throws(Interruption) -> Void,
    sorting sort: (_ siblings: inout [NodeID], _ parent: NodeID) throws(Interruption) -> Void
  ) throws(Interruption) -> [(node: NodeID, depth: Int32)] {
    // The children of all nodes; those of one node are adjacent.
    var starts = [Int32](repeating: 0, count: records.count + 1)
    var nodes: [NodeID] = []
    nodes.reserveCapacity(nodeCount)
    var next = next(place(at: 0))
    while let place = next {
      try Self.countNodes(from: nodes.count, of: nodeCount, count)
      let node = self.node(at: place)
      nodes.append(node)
      starts[self[node].parent.offset + 1] += 1
      next = self.next(place)
    }
    try count(starts.count / Self.sumsPerStep)
    for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
    var ends = starts
    var children = [NodeID](repeating: .forestRoot, count: nodes.count)
    for node in nodes {
      try count(1)
      let parent = self[node].parent.offset
      children[Int(ends[parent])] = node
      ends[parent] += 1
    }
    for parent in [.forestRoot] + nodes {
      try count(1)
      guard self[parent].childCount > 1 else { continue }
      let range = Int(starts[parent.offset])..<Int(ends[parent.offset])
      var siblings = Array(children[range])
      try sort(&siblings, parent)
      children.replaceSubrange(range, with: siblings)
    }
    return try preorder(children, starts, ends, count)
  }

  private func preorder(
    _ children: [NodeID],
    _ starts: [Int32],
    _ ends: [Int32],
    _ count: (Int) throws(Interruption) -> Void
  ) throws(Interruption) -> [(node: NodeID, depth: Int32)] {
    var run: [(node: NodeID, depth: Int32)] = []
    run.reserveCapacity(children.count)
    // For each level, the next child and where the children end.
    var open = [(next: starts[0], end: ends[0])]
    while let (next, end) = open.last {
      guard next < end else {
        open.removeLast()
        continue
      }
      try Self.countNodes(from: run.count, of: children.count, count)
      let node = children[Int(next)]
      open[open.count - 1].next += 1
      run.append((node, Int32(open.count - 1)))
      let (start, end) = (starts[node.offset], ends[node.offset])
      if start < end { open.append((start, end)) }
    }
    return run
  }

  /// Counts the next nodes of a walk, in steps of some thousands.
  static func countNodes(
    from index: Int,
    of end: Int,
    _ count: (Int) throws(Interruption) -> Void
  ) throws(Interruption) {
    guard index % Self.nodesPerCount == 0 else { return }
    try count(min(Self.nodesPerCount, end - index))
  }

  private static var nodesPerCount: Int { 4_096 }

  /// The number of additions that are counted as one step.
  private static var sumsPerStep: Int { 64 }
}

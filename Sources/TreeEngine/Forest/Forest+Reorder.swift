extension Forest {
  /// Inserts all children of a node in another order, after they were cut out.
  ///
  /// - Parameters:
  ///   - cutting: All children with their subtrees.
  ///   - starts: The offset of each child in the cutting, in the new order.
  ///   - opening: The place of the first child.
  ///   - pass: Counts the steps.
  /// - Returns: The children in the old order.
  /// - Complexity: O(*m* + log *n*) for *m* nodes at and below the children.
  mutating func pasteAll(
    _ cutting: Cutting,
    inOrder starts: [Int32],
    at opening: Opening,
    passing pass: (Int) -> Void
  ) -> [NodeID] {
    let nodes = nodesWithDepths(of: cutting, passing: pass)
    release(cutting, passing: pass)
    var entries: [Entry] = []
    entries.reserveCapacity(nodes.count)
    var last: Int32 = 0
    for start in starts {
      var place = Int(start)
      repeat {
        let (node, depth) = nodes[place]
        if entries.count % Self.nodesPerPass == 0 { pass(Self.nodesPerPass) }
        entries.append(Entry(owner: node.index, step: depth - last))
        last = depth
        place += 1
      } while place < nodes.count && nodes[place].depth > 0
    }
    let piece = sequence.build(entries, passing: pass)
    splice(piece, size: cutting.size, at: opening)
    self[opening.parent].childCount += Int32(starts.count)
    var former: [NodeID] = []
    former.reserveCapacity(starts.count)
    for (node, depth) in nodes where depth == 0 { former.append(node) }
    return former
  }

  /// Returns the nodes of a cutting in pre-order, with their depths relative to the first.
  private func nodesWithDepths(
    of cutting: Cutting,
    passing pass: (Int) -> Void
  ) -> [(node: NodeID, depth: Int32)] {
    guard let piece = cutting.root else { return [(cutting.node, 0)] }
    var nodes: [(node: NodeID, depth: Int32)] = []
    nodes.reserveCapacity(Int(cutting.size))
    var depth: Int32 = 0
    var leaf: Int32? = sequence.locate(0, in: piece).leaf
    while let current = leaf {
      pass(Int(sequence.count(ofLeaf: current)))
      for slot in 0..<sequence.count(ofLeaf: current) {
        let entry = sequence[current, slot]
        depth += entry.step
        nodes.append((entry.node, depth))
      }
      leaf = sequence.leaf(after: current)
    }
    return nodes
  }
}

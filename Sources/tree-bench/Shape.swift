/// Shapes of trees that stress different things.
enum Shape: String, CaseIterable {
  /// A root whose children are all other nodes.
  case star
  /// Each node is the only child of the one before.
  case chain
  /// Each node has ten children; the last level may be incomplete.
  case tenfold
  /// A shape like that of a disk: a few folders with many children, many with few.
  ///
  /// Leaves are about ten levels deep.
  case files

  /// Returns the depths of a tree's nodes in pre-order.
  func depths(count: Int) -> [Int] {
    switch self {
    case .star: (0..<count).map { min($0, 1) }
    case .chain: Array(0..<count)
    case .tenfold: tenfoldDepths(count: count)
    case .files: fileDepths(count: count)
    }
  }

  /// Returns the depths of a tree in which node `i` by levels has the children 10i + 1 to 10i + 10.
  private func tenfoldDepths(count: Int) -> [Int] {
    var depths: [Int] = []
    depths.reserveCapacity(count)
    var pending = [(node: 0, depth: 0)]
    while let (node, depth) = pending.popLast() {
      depths.append(depth)
      for child in (1...10).reversed().map({ 10 * node + $0 }) where child < count {
        pending.append((child, depth + 1))
      }
    }
    return depths
  }

  /// Returns the depths of a tree in which every eighth node is a folder, and each node is in a
  /// folder.
  ///
  /// Half of the nodes are in a random folder. The others are beside a random node, so that folders
  /// with many children get more.
  private func fileDepths(count: Int) -> [Int] {
    var random = SplitMix(seed: 13)
    var parents: [Int32] = [-1]
    // The children of a node are a chain: the last one first.
    var lastChild = [Int32](repeating: -1, count: count)
    var previous = lastChild
    for node in 1..<max(count, 1) {
      let isAnywhere = node == 1 || random.below(2) == 0
      let parent =
        isAnywhere ? Int32(8 * random.below((node + 7) / 8)) : parents[1 + random.below(node - 1)]
      parents.append(parent)
      previous[node] = lastChild[Int(parent)]
      lastChild[Int(parent)] = Int32(node)
    }
    var depths: [Int] = []
    depths.reserveCapacity(count)
    var pending = [(node: Int32(0), depth: 0)]
    while let (node, depth) = pending.popLast() {
      depths.append(depth)
      if previous[Int(node)] >= 0 { pending.append((previous[Int(node)], depth)) }
      if lastChild[Int(node)] >= 0 { pending.append((lastChild[Int(node)], depth + 1)) }
    }
    return depths
  }
}

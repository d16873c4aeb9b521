/// Shapes of trees that stress different things.
enum Shape: String, CaseIterable {
  /// All nodes but one are children of that one.
  case star
  /// Each node is the only child of the one before.
  case chain
  /// Each node has ten children, as far as they go.
  case tenfold

  /// The depths of a tree's nodes in pre-order.
  func depths(count: Int) -> [Int] {
    switch self {
    case .star: (0..<count).map { min($0, 1) }
    case .chain: Array(0..<count)
    case .tenfold: tenfoldDepths(count: count)
    }
  }

  /// Node `i` numbered by levels has the children 10i + 1 to 10i + 10.
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
}

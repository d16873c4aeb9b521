/// The lines of an import, in an order in which a client may have them.
struct ImportLines {
  /// The order of the lines, in each of which parents precede their children.
  enum Order: String, CaseIterable {
    case preOrder = "in pre-order"
    case breadthFirst = "breadth first"
    case random = "in random order"
  }

  private(set) var bytes: [UInt8] = []

  /// Makes the lines of a tree; its keys are a prefix and the numbers of the nodes in pre-order.
  ///
  /// - Parameters:
  ///   - shape: The shape of the tree.
  ///   - count: The number of nodes.
  ///   - order: The order of the lines.
  ///   - prefix: The prefix of the keys.
  ///   - parent: The key of the root's parent; nil for a root of the forest.
  init(
    _ shape: Shape,
    count: Int,
    order: Order = .preOrder,
    prefix: String = "i",
    under parent: String? = nil
  ) {
    let depths = shape.depths(count: count)
    let parents = Self.parents(depths)
    let top = parent.map { Array($0.utf8) }
    for number in Self.numbers(order, depths, parents) {
      let above = parents[number].map { Self.key($0, prefix) } ?? top
      append(number, Self.key(number, prefix), parent: above)
    }
  }

  /// Makes the lines of a number of roots.
  init(roots: Int) {
    for number in 0..<roots { append(number, Self.key(number, "i"), parent: nil) }
  }

  private static func key(_ number: Int, _ prefix: String) -> [UInt8] {
    var key = Array(prefix.utf8)
    key.append(decimal: number)
    return key
  }

  private static func parents(_ depths: [Int]) -> [Int?] {
    var path: [Int] = []
    return depths.enumerated().map { number, depth in
      path.removeLast(path.count - depth)
      defer { path.append(number) }
      return path.last
    }
  }

  private static func numbers(_ order: Order, _ depths: [Int], _ parents: [Int?]) -> [Int] {
    switch order {
    case .preOrder: return Array(depths.indices)
    case .breadthFirst:
      // The standard sort is stable.
      return depths.indices.sorted { depths[$0] < depths[$1] }
    case .random:
      // Each takes a random moment later than its parent's.
      var random = SplitMix(seed: 5)
      var moments = [Int](repeating: 0, count: depths.count)
      for number in depths.indices {
        let earliest = parents[number].map { moments[$0] + 1 } ?? 0
        moments[number] = earliest + random.below(depths.count)
      }
      return depths.indices.sorted { moments[$0] < moments[$1] }
    }
  }

  private mutating func append(_ number: Int, _ key: [UInt8], parent: [UInt8]?) {
    bytes += #"{"key":""#.utf8
    bytes += key
    if let parent {
      bytes += #"","parent":""#.utf8
      bytes += parent
    }
    bytes += #"","object":{"title":"Node "#.utf8
    bytes.append(decimal: number)
    bytes += #"","size":4096,"kind":"file"}}"#.utf8
    bytes.append(10)
  }
}

extension Array where Element == UInt8 {
  /// Appends the decimal digits of a number, which must not be negative.
  mutating func append(decimal number: Int) {
    var scale = 1
    while number / scale >= 10 { scale *= 10 }
    while scale > 0 {
      append(UInt8(ascii: "0") + UInt8(number / scale % 10))
      scale /= 10
    }
  }
}

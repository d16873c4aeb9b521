/// Nodes as lines of an import, in one of the orders in which a client may have them.
struct ImportLines {
  /// The order of the lines; parents come before their children in each.
  enum Order: String, CaseIterable {
    case preOrder = "in pre-order"
    case breadthFirst = "breadth first"
    case random = "in random order"
  }

  private(set) var bytes: [UInt8] = []

  /// The lines of a whole tree with the keys `n0`, `n1`, … in pre-order, with a prefix each.
  init(_ shape: Shape, count: Int, order: Order = .preOrder, prefix: String = "n") {
    let depths = shape.depths(count: count)
    let parents = Self.parents(depths)
    for number in Self.numbers(order, depths, parents) {
      append(number, parent: parents[number], prefix: Array(prefix.utf8))
    }
  }

  /// The lines, in pieces of so many bytes.
  func pieces(of length: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: length).map {
      Array(bytes[$0..<min($0 + length, bytes.count)])
    }
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

  private mutating func append(_ number: Int, parent: Int?, prefix: [UInt8]) {
    append(#"{"key":""#)
    bytes += prefix
    append("\(number)")
    if let parent {
      append(#"","parent":""#)
      bytes += prefix
      append("\(parent)")
    }
    append(#"","object":{"title":"Node "#)
    append("\(number)")
    append(#"","size":4096,"kind":"file"}}"#)
    append("\n")
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}

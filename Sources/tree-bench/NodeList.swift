import TreeEngine

/// Nodes as the engine accepts them: their keys and objects are ranges of one byte array.
struct NodeList {
  private(set) var nodes: [NewNode] = []
  private(set) var bytes: [UInt8] = []

  /// Creates a tree with the keys `n0`, `n1`, … in pre-order.
  init(_ shape: Shape, count: Int) {
    nodes.reserveCapacity(count)
    for (number, depth) in shape.depths(count: count).enumerated() {
      append(number: number, depth: depth)
    }
  }

  /// Creates one leaf.
  init(leaf number: Int) { append(number: number, depth: 0) }

  private mutating func append(number: Int, depth: Int) {
    let start = bytes.count
    bytes.append(UInt8(ascii: "n"))
    bytes.append(decimal: number)
    let end = bytes.count
    bytes.append(contentsOf: Self.opening)
    bytes.append(decimal: number)
    bytes.append(contentsOf: Self.closing)
    nodes.append(
      NewNode(key: start..<end, object: end..<bytes.count, depth: depth, childState: .leaf)
    )
  }

  private static let opening = Array(#"{"title":"Node "#.utf8)
  private static let closing = Array(#"","size":4096,"kind":"file"}"#.utf8)
}

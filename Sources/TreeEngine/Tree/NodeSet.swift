/// A set of nodes in the order of their insertion.
///
/// It is a dense array with an open-addressing table of indexes; a few nodes need no table. A slot
/// is found by multiplication with a random odd number, so that no client can choose nodes that
/// collide.
///
/// Source: Dietzfelbinger, Hagerup, Katajainen and Penttonen, *A Reliable Randomized Algorithm for
/// the Closest-Pair Problem*, J. Algorithms 25(1), 1997, section 2.
public struct NodeSet: Sendable {
  /// The nodes, in the order of their insertion.
  public private(set) var nodes: [NodeID] = []
  /// The index in `nodes` for each slot, or -1; empty while the nodes are few.
  private var places: [Int32] = []

  /// The memory of the nodes and the table, in bytes.
  ///
  /// - Complexity: O(1).
  var byteCount: Int { nodes.count * MemoryLayout<NodeID>.stride + places.byteCount }

  /// The maximum number of nodes without a table.
  private static var few: Int { 8 }

  /// Creates an empty set.
  public init() {}

  /// Returns the index of a node in ``nodes``; nil if it is not in the set.
  ///
  /// - Complexity: O(1) expected.
  public func place(of node: NodeID) -> Int? {
    if places.isEmpty { return nodes.firstIndex(of: node) }
    let place = places[slot(of: node)]
    return place < 0 ? nil : Int(place)
  }

  /// Inserts a node.
  ///
  /// - Returns: True if it was not in the set.
  /// - Complexity: O(1) expected, amortised.
  @discardableResult
  public mutating func insert(_ node: NodeID) -> Bool {
    if places.isEmpty {
      guard !nodes.contains(node) else { return false }
      nodes.append(node)
      if nodes.count > Self.few { rehash() }
      return true
    }
    let slot = slot(of: node)
    guard places[slot] < 0 else { return false }
    places[slot] = Int32(nodes.count)
    nodes.append(node)
    if nodes.count * 2 > places.count { rehash() }
    return true
  }

  /// Removes all nodes, and keeps the capacity if it is at most `count`.
  mutating func removeAll(keepingRoomFor count: Int) {
    nodes.removeAll(keepingRoomFor: count)
    if !places.isEmpty { places = [] }
  }

  mutating func insert(_ others: some Sequence<NodeID>) {
    for node in others { insert(node) }
  }

  /// Returns the slot that a node is in, or would be inserted in.
  private func slot(of node: NodeID) -> Int {
    let mask = places.count - 1
    let hash = UInt64(UInt32(bitPattern: node.index)) &* nodeHashFactor
    var slot = Int(hash >> (64 - UInt64(places.count.trailingZeroBitCount)))
    while case let place = places[slot], place >= 0, nodes[Int(place)] != node {
      slot = (slot + 1) & mask
    }
    return slot
  }

  private mutating func rehash() {
    places = Array(repeating: -1, count: 4 * nodes.count.nextPowerOfTwo)
    for (place, node) in nodes.enumerated() { places[slot(of: node)] = Int32(place) }
  }
}

extension Int {
  /// The smallest power of two that is at least this number.
  fileprivate var nextPowerOfTwo: Int { 1 << (bitWidth - (self - 1).leadingZeroBitCount) }
}

/// A random odd factor, so that no client can choose nodes that collide.
let nodeHashFactor = UInt64.random(in: 0...(.max)) | 1

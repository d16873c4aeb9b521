/// Nodes in the order in which they came, each once.
///
/// An open-addressing table of places in a dense array; a few nodes are found without it. Slots are
/// found by multiplication with a random odd number, so that nobody outside can choose nodes that
/// collide.
///
/// Source: Dietzfelbinger, Hagerup, Katajainen and Penttonen, *A Reliable Randomized Algorithm for
/// the Closest-Pair Problem*, J. Algorithms 25(1), 1997, section 2.
public struct NodeSet: Sendable {
  /// The nodes, in the order in which they came.
  public private(set) var nodes: [NodeID] = []
  /// By slot a place in `nodes`, or -1; no slots at all while the nodes are few.
  private var places: [Int32] = []

  /// So many are found by looking at each.
  private static var few: Int { 8 }

  /// Creates an empty set.
  public init() {}

  /// The place of a node in ``nodes``, or nil where it is none.
  ///
  /// - Complexity: O(1) expected.
  public func place(of node: NodeID) -> Int? {
    if places.isEmpty { return nodes.firstIndex(of: node) }
    let place = places[slot(of: node)]
    return place < 0 ? nil : Int(place)
  }

  /// Adds a node.
  ///
  /// - Returns: whether it is new.
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

  /// Forgets all nodes, and keeps the room for them if that is for so many at most.
  mutating func removeAll(keepingRoomFor count: Int) {
    nodes.removeAll(keepingRoomFor: count)
    if !places.isEmpty { places = [] }
  }

  mutating func insert(_ others: some Sequence<NodeID>) {
    for node in others { insert(node) }
  }

  /// The slot that a node is in, or would be.
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
  /// The least power of two that is not below.
  fileprivate var nextPowerOfTwo: Int { 1 << (bitWidth - (self - 1).leadingZeroBitCount) }
}

/// A random odd number, so that nobody outside can choose nodes that collide.
let nodeHashFactor = UInt64.random(in: 0...(.max)) | 1

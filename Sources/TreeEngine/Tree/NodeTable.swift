/// What is known of nodes that come and go, as an open-addressing table with linear probing.
///
/// It is neighbours that are asked about one after the other, and neighbours mostly have
/// neighbouring ids. So eight of these share a random home, each in a place of its own there, and a
/// walk through the tree touches the same lines again and again; probing goes on in the next home,
/// one place further. Homes are found as in ``NodeSet``.
///
/// Source: Knuth, *The Art of Computer Programming*, volume 3, section 6.4, algorithms L and R.
struct NodeTable<Value: Sendable & Equatable>: Sendable, Equatable {
  private struct Entry: Sendable {
    var node: NodeID
    var value: Value
  }

  /// How many places a home has.
  private static var homeSize: Int { 8 }

  /// A power of two of them, more than there are entries.
  private var entries: [Entry?] = []
  /// How many nodes are in it.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Creates an empty table with room for so many nodes.
  init(minimumCapacity: Int = 0) {
    if minimumCapacity > 0 { resize(for: minimumCapacity) }
  }

  /// Nothing is known of nodes that are not in the table.
  ///
  /// - Complexity: O(1) expected, amortised.
  subscript(_ node: NodeID) -> Value? {
    get {
      if isEmpty { return nil }
      return entries[place(of: node)]?.value
    }
    set {
      guard let newValue else { return remove(node) }
      if (count + 1) * 3 > entries.count * 2 { resize(for: 2 * (count + 1)) }
      let place = place(of: node)
      if entries[place] == nil { count += 1 }
      entries[place] = Entry(node: node, value: newValue)
    }
  }

  /// Shows all nodes, in no order.
  func forEach(_ body: (NodeID, Value) -> Void) {
    for case let entry? in entries { body(entry.node, entry.value) }
  }

  static func == (left: NodeTable, right: NodeTable) -> Bool {
    left.count == right.count
      && left.entries.allSatisfy { entry in entry.map { right[$0.node] == $0.value } ?? true }
  }

  /// Where a node's entry is, or would be.
  private func place(of node: NodeID) -> Int {
    var place = home(of: node)
    while let entry = entries[place], entry.node != node { place = self.place(after: place) }
    return place
  }

  private func home(of node: NodeID) -> Int {
    let homes = entries.count / Self.homeSize
    let hash = UInt64(UInt32(bitPattern: node.index) / UInt32(Self.homeSize)) &* nodeHashFactor
    let home = Int(hash >> (64 - UInt64(homes.trailingZeroBitCount)))
    return home * Self.homeSize + Int(node.index) % Self.homeSize
  }

  /// An odd step, so that all places come in turn.
  private func place(after place: Int) -> Int {
    (place + Self.homeSize + 1) & (entries.count - 1)
  }

  private mutating func remove(_ node: NodeID) {
    if isEmpty { return }
    let hole = place(of: node)
    guard entries[hole] != nil else { return }
    count -= 1
    entries[hole] = nil
    // What was put behind it because of it moves up.
    var next = place(after: hole)
    while let entry = entries[next] {
      entries[next] = nil
      entries[place(of: entry.node)] = entry
      next = place(after: next)
    }
  }

  private mutating func resize(for room: Int) {
    let former = entries
    let slots = 1 << (Int.bitWidth - (room * 3 / 2).leadingZeroBitCount)
    entries = Array(repeating: nil, count: max(2 * Self.homeSize, slots))
    for case let entry? in former { entries[place(of: entry.node)] = entry }
  }
}

/// A value that a ``NodeTable`` holds for a node.
///
/// A vacant place of a table holds the default value.
protocol NodeTableValue: BitwiseCopyable, Sendable, Equatable {
  init()
}

extension Int32: NodeTableValue {}

/// The value of a ``NodeTable`` that is a set: that a node is in it is all there is to know.
struct Presence: NodeTableValue {}

/// What is known of nodes that come and go, as an open-addressing table with linear probing.
///
/// It is neighbours that are asked about one after the other, and neighbours mostly have
/// neighbouring ids. So eight of these share a random home, each in a place of its own there, and a
/// walk through the tree touches the same lines again and again; probing goes on in the next home,
/// one place further. Homes are found as in ``NodeSet``.
///
/// The entries lie in chunks, so that a write beside a copy of the table copies a chunk and not the
/// whole table.
///
/// Source: Knuth, *The Art of Computer Programming*, volume 3, section 6.4, algorithms L and R.
struct NodeTable<Value: NodeTableValue>: Sendable, Equatable {
  private struct Entry: BitwiseCopyable, Sendable {
    var node: NodeID
    var value: Value

    static var vacant: Entry { Entry(node: NodeID(-1), value: Value()) }
    var isVacant: Bool { node.index < 0 }
  }

  /// How many places a home has.
  private static var homeSize: Int { 8 }

  /// A power of two of them, more than there are entries.
  private var entries = ChunkedArray<Entry, NodeTableWidth>()
  /// How many nodes are in it.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Creates an empty table with room for so many nodes.
  init(minimumCapacity: Int = 0) {
    if minimumCapacity > 0 { resize(for: minimumCapacity) }
  }

  /// The bytes of its slots.
  ///
  /// - Complexity: O(1).
  var byteCount: Int { entries.byteCount }

  /// The most bytes of a table of so many nodes.
  static func byteCount(ofNodes count: Int) -> Int {
    count == 0 ? 0 : slots(for: count) * MemoryLayout<Entry>.stride
  }

  private static func slots(for room: Int) -> Int {
    max(2 * homeSize, 1 << (Int.bitWidth - (room * 3 / 2).leadingZeroBitCount))
  }

  /// Nothing is known of nodes that are not in the table.
  ///
  /// - Complexity: O(1) expected, amortised; a write beside a copy of the table copies a chunk.
  subscript(_ node: NodeID) -> Value? {
    get {
      if isEmpty { return nil }
      let entry = entries[place(of: node)]
      return entry.isVacant ? nil : entry.value
    }
    set {
      guard let newValue else {
        remove(node)
        return
      }
      if (count + 1) * 3 > entries.count * 2 { resize(for: 2 * (count + 1)) }
      let place = place(of: node)
      if entries[place].isVacant { count += 1 }
      entries[place] = Entry(node: node, value: newValue)
    }
  }

  /// Returns true if something is known of a node.
  ///
  /// - Complexity: O(1) expected.
  func contains(_ node: NodeID) -> Bool { !isEmpty && !entries[place(of: node)].isVacant }

  /// Shows all nodes, in no order.
  func forEach(_ body: (NodeID, Value) -> Void) {
    if isEmpty { return }
    for place in entries.indices {
      let entry = entries[place]
      if !entry.isVacant { body(entry.node, entry.value) }
    }
  }

  /// The nodes of which something is known, in no order.
  ///
  /// - Complexity: O(*n*).
  var nodes: [NodeID] {
    var nodes: [NodeID] = []
    nodes.reserveCapacity(count)
    forEach { node, _ in nodes.append(node) }
    return nodes
  }

  static func == (left: NodeTable, right: NodeTable) -> Bool {
    guard left.count == right.count else { return false }
    var isEqual = true
    left.forEach { node, value in
      if right[node] != value { isEqual = false }
    }
    return isEqual
  }

  /// Where a node's entry is, or would be.
  private func place(of node: NodeID) -> Int {
    var place = home(of: node)
    while case let entry = entries[place], !entry.isVacant, entry.node != node {
      place = self.place(after: place)
    }
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

  /// Removes a node.
  ///
  /// - Returns: True if it was there.
  /// - Complexity: As the subscript.
  @discardableResult
  mutating func remove(_ node: NodeID) -> Bool {
    if isEmpty { return false }
    let hole = place(of: node)
    guard !entries[hole].isVacant else { return false }
    count -= 1
    entries[hole] = .vacant
    // What was put behind it because of it moves up.
    var next = place(after: hole)
    while case let entry = entries[next], !entry.isVacant {
      entries[next] = .vacant
      entries[place(of: entry.node)] = entry
      next = place(after: next)
    }
    return true
  }

  private mutating func resize(for room: Int) {
    let former = entries
    entries = ChunkedArray()
    entries.append(.vacant, times: Self.slots(for: room))
    // Nobody has a copy of what is being made.
    entries.isSole = true
    for index in former.indices {
      let entry = former[index]
      if !entry.isVacant { entries[place(of: entry.node)] = entry }
    }
    entries.isSole = false
  }
}

extension NodeTable<Presence> {
  /// Creates a set of nodes.
  init(_ nodes: [NodeID]) {
    self.init(minimumCapacity: nodes.count)
    for node in nodes { insert(node) }
  }

  /// Adds a node.
  ///
  /// - Returns: True if it was not there.
  /// - Complexity: As the subscript.
  @discardableResult
  mutating func insert(_ node: NodeID) -> Bool {
    let before = count
    self[node] = Presence()
    return count > before
  }
}

/// The width of the chunks of a ``NodeTable``.
///
/// Small ones: nodes that are asked about together lie in many places of a large table.
private enum NodeTableWidth: NodeWidth {
  static var fanout: Int { 64 }
  static var chunkBytes: Int { 1 << 14 }
}

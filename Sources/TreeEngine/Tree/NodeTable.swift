/// A value that a ``NodeTable`` holds for a node.
///
/// A vacant place of a table holds the default value.
protocol NodeTableValue: BitwiseCopyable, Sendable, Equatable {
  init()
}

extension Int32: NodeTableValue {}

/// The empty value that makes a ``NodeTable`` a set of nodes.
struct Presence: NodeTableValue {}

/// A hash table of values by node, with open addressing and linear probing.
///
/// Neighbours in the tree mostly have neighbouring ids, and are looked up one after the other. So
/// eight consecutive ids share a random group of eight slots, the *home*, each with its own slot. A
/// walk through the tree then reads few cache lines. Probing continues in the next home, one slot
/// further. Homes are found by the hash of ``NodeSet``.
///
/// The entries are stored in chunks. A write to a table that shares them with a copy therefore
/// copies one chunk, not the table.
///
/// Source: Knuth, *The Art of Computer Programming*, volume 3, section 6.4, algorithms L and R.
struct NodeTable<Value: NodeTableValue>: Sendable, Equatable {
  private struct Entry: BitwiseCopyable, Sendable {
    var node: NodeID
    var value: Value

    static var vacant: Entry { Entry(node: NodeID(-1), value: Value()) }
    var isVacant: Bool { node.index < 0 }
  }

  /// The number of slots of a home.
  private static var homeSize: Int { 8 }

  /// The slots; their number is a power of two and more than the number of entries.
  private var entries = ChunkedArray<Entry, NodeTableWidth>()
  /// The number of nodes.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Creates an empty table with capacity for a number of nodes.
  init(minimumCapacity: Int = 0) {
    if minimumCapacity > 0 { resize(for: minimumCapacity) }
  }

  /// The memory of the slots, in bytes.
  ///
  /// - Complexity: O(1).
  var byteCount: Int { entries.byteCount }

  /// Returns the memory of a table that is created with capacity for `count` nodes, in bytes.
  static func byteCount(ofNodes count: Int) -> Int {
    count == 0 ? 0 : slots(for: count) * MemoryLayout<Entry>.stride
  }

  private static func slots(for room: Int) -> Int {
    max(2 * homeSize, 1 << (Int.bitWidth - (room * 3 / 2).leadingZeroBitCount))
  }

  /// The value of a node; nil if it is not in the table.
  ///
  /// - Complexity: O(1) expected, amortised; a write while a copy exists copies a chunk.
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

  /// Returns true if a node is in the table.
  ///
  /// It is inlined, so that callers do not copy the value that contains the table.
  ///
  /// - Complexity: O(1) expected.
  @inline(__always)
  func contains(_ node: NodeID) -> Bool { !isEmpty && has(node) }

  @inline(never)
  private func has(_ node: NodeID) -> Bool { !entries[place(of: node)].isVacant }

  /// Calls a function with each node and its value, in no particular order.
  func forEach(_ body: (NodeID, Value) -> Void) {
    if isEmpty { return }
    for place in entries.indices {
      let entry = entries[place]
      if !entry.isVacant { body(entry.node, entry.value) }
    }
  }

  /// The nodes, in no particular order.
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

  /// Returns the slot that a node is in, or would be inserted in.
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

  /// Returns the next slot to probe.
  ///
  /// The step is odd, so that probing reaches every slot.
  private func place(after place: Int) -> Int {
    (place + Self.homeSize + 1) & (entries.count - 1)
  }

  /// Removes a node.
  ///
  /// - Returns: True if it was in the table.
  /// - Complexity: As the subscript.
  @discardableResult
  mutating func remove(_ node: NodeID) -> Bool {
    if isEmpty { return false }
    let hole = place(of: node)
    guard !entries[hole].isVacant else { return false }
    count -= 1
    entries[hole] = .vacant
    // Entries behind the hole may have been probed past it, so they are inserted again.
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
    // The new array has no copies yet.
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

  /// Inserts a node.
  ///
  /// - Returns: True if it was not in the set.
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
/// They are small, because the entries of one change are spread over a large table.
private enum NodeTableWidth: NodeWidth {
  static var fanout: Int { 64 }
  static var chunkBytes: Int { 1 << 14 }
}

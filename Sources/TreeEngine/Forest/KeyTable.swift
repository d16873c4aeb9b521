/// Keys to nodes, or to whatever else is numbered: an open-addressing hash table with linear
/// probing over bytes that are held elsewhere.
///
/// A slot is a node's index and 32 bits of its key's hash, so that a probe rarely looks at key
/// bytes. Hashes are those of the standard library (SipHash-1-3 with a seed per process), so that a
/// client cannot choose colliding keys.
///
/// Where a hash belongs is its share of the slots (`hash / 2³² · slots`), so that any number of
/// slots will do and the slots are nearly in the order of their hashes: resizing is one pass over
/// both tables.
public struct KeyTable: Sendable {
  private static let vacant: UInt64 = 0
  private static let fewestSlots = 16

  // A taken slot: hash in the upper half, node index + 1 in the lower.
  private var slots: [UInt64] = Array(repeating: vacant, count: fewestSlots)
  private(set) var count = 0

  /// Makes an empty table.
  public init() {}

  /// The hash of a key.
  ///
  /// - Complexity: O(bytes).
  public static func hash(_ key: Span<UInt8>) -> UInt32 {
    UInt32(truncatingIfNeeded: seededHash(of: key))
  }

  /// Where a hash belongs.
  private func home(_ hash: UInt64) -> Int { Int((hash &* UInt64(slots.count)) >> 32) }

  private func next(_ place: Int) -> Int { place + 1 == slots.count ? 0 : place + 1 }

  /// How many steps it is from one place to another.
  private func distance(from start: Int, to end: Int) -> Int {
    end >= start ? end - start : end - start + slots.count
  }

  /// The number whose key has this hash and satisfies `matches`; nil where there is none.
  ///
  /// - Complexity: O(1) on average.
  public func find(hash: UInt32, matches: (Int32) -> Bool) -> Int32? {
    var place = home(UInt64(hash))
    while slots[place] != Self.vacant {
      if UInt32(slots[place] >> 32) == hash {
        let node = Int32(truncatingIfNeeded: slots[place] & 0xFFFF_FFFF) - 1
        if matches(node) { return node }
      }
      place = next(place)
    }
    return nil
  }

  /// How many bytes are copied if so many keys come.
  func bytesCopied(adding keys: Int) -> Int {
    (count + keys) * 4 > slots.count * 3 ? slots.count * MemoryLayout<UInt64>.stride : 0
  }

  /// Adds a key that is not in the table.
  ///
  /// - Complexity: O(1) on average.
  public mutating func insert(_ node: Int32, hash: UInt32) {
    if (count + 1) * 4 > slots.count * 3 { resize(to: slots.count + slots.count / 2) }
    place(UInt64(hash) << 32 | UInt64(node + 1))
    count += 1
  }

  private mutating func place(_ slot: UInt64) {
    var place = home(slot >> 32)
    while slots[place] != Self.vacant { place = next(place) }
    slots[place] = slot
  }

  /// Removes a key that is in the table, closing the gap by moving later ones back.
  mutating func remove(_ node: Int32, hash: UInt32) {
    let slot = UInt64(hash) << 32 | UInt64(node + 1)
    var hole = home(UInt64(hash))
    while slots[hole] != slot { hole = next(hole) }
    var place = next(hole)
    while slots[place] != Self.vacant {
      let home = home(slots[place] >> 32)
      if distance(from: home, to: place) >= distance(from: hole, to: place) {
        slots[hole] = slots[place]
        hole = place
      }
      place = next(place)
    }
    slots[hole] = Self.vacant
    count -= 1
    if slots.count > Self.fewestSlots, count * 8 < slots.count { resize(to: slots.count / 2) }
  }

  /// Follows the nodes to their new ids, in a table of the size that suits them.
  ///
  /// - Complexity: O(slots).
  mutating func compact(_ new: NodeRenumbering) {
    resize(to: count + count / 2) { slot in
      let node = NodeID(Int32(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1)
      return (slot >> 32) << 32 | UInt64(new.of(node).index + 1)
    }
  }

  /// Makes room for so many keys more.
  ///
  /// - Complexity: O(slots) where there is too little.
  public mutating func reserve(_ more: Int) {
    let needed = (count + more) * 4 / 3 + 1
    if needed > slots.count { resize(to: max(needed, slots.count + slots.count / 2)) }
  }

  private mutating func resize(to capacity: Int, _ change: (UInt64) -> UInt64 = { $0 }) {
    let old = slots
    slots = Array(repeating: Self.vacant, count: max(capacity, Self.fewestSlots))
    for slot in old where slot != Self.vacant { place(change(slot)) }
  }
}

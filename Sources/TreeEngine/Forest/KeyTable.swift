/// Keys to nodes: an open-addressing hash table with linear probing over the bytes of an arena.
///
/// A slot is a node's index and 32 bits of its key's hash, so that a probe rarely looks at key
/// bytes. Hashes are those of the standard library (SipHash-1-3 with a seed per process), so that a
/// client cannot choose colliding keys.
struct KeyTable: Sendable {
  private static let vacant: UInt64 = 0

  // A taken slot: hash in the upper half, node index + 1 in the lower.
  private var slots: [UInt64] = Array(repeating: vacant, count: 16)
  private(set) var count = 0

  private var mask: Int { slots.count - 1 }

  static func hash(_ key: Span<UInt8>) -> UInt32 {
    UInt32(truncatingIfNeeded: seededHash(of: key))
  }

  /// The node whose key has this hash and satisfies `matches`.
  ///
  /// - Complexity: O(1) on average.
  func find(hash: UInt32, matches: (Int32) -> Bool) -> Int32? {
    var place = Int(hash) & mask
    while slots[place] != Self.vacant {
      if UInt32(slots[place] >> 32) == hash {
        let node = Int32(truncatingIfNeeded: slots[place] & 0xFFFF_FFFF) - 1
        if matches(node) { return node }
      }
      place = (place + 1) & mask
    }
    return nil
  }

  /// Adds a key that is not in the table.
  mutating func insert(_ node: Int32, hash: UInt32) {
    if (count + 1) * 4 > slots.count * 3 { resize(to: slots.count * 2) }
    place(UInt64(hash) << 32 | UInt64(node + 1))
    count += 1
  }

  private mutating func place(_ slot: UInt64) {
    var place = Int(slot >> 32) & mask
    while slots[place] != Self.vacant { place = (place + 1) & mask }
    slots[place] = slot
  }

  /// Removes a key that is in the table, closing the gap by moving later ones back.
  mutating func remove(_ node: Int32, hash: UInt32) {
    let slot = UInt64(hash) << 32 | UInt64(node + 1)
    var hole = Int(hash) & mask
    while slots[hole] != slot { hole = (hole + 1) & mask }
    var place = (hole + 1) & mask
    while slots[place] != Self.vacant {
      let home = Int(slots[place] >> 32) & mask
      if (place &- home) & mask >= (place &- hole) & mask {
        slots[hole] = slots[place]
        hole = place
      }
      place = (place + 1) & mask
    }
    slots[hole] = Self.vacant
    count -= 1
    if slots.count > 16, count * 8 < slots.count { resize(to: slots.count / 2) }
  }

  /// Follows the nodes to their new ids, in a table no larger than it must be.
  ///
  /// - Complexity: O(slots).
  mutating func compact(_ new: NodeRenumbering) {
    var capacity = 16
    while count * 4 > capacity * 3 { capacity *= 2 }
    let old = slots
    slots = Array(repeating: Self.vacant, count: capacity)
    for slot in old where slot != Self.vacant {
      let node = NodeID(Int32(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1)
      place((slot >> 32) << 32 | UInt64(new.of(node).index + 1))
    }
  }

  private mutating func resize(to capacity: Int) {
    let old = slots
    slots = Array(repeating: Self.vacant, count: capacity)
    for slot in old where slot != Self.vacant { place(slot) }
  }
}

/// The slots of a database.
///
/// The hash of an id determines the slot of a tree or session.
package struct TreeSlots: Equatable, Sendable {
  /// The number of slots.
  package let count: Int

  /// Creates a number of slots, at least one.
  package init(count: Int) { self.count = max(count, 1) }

  /// Returns the slot of an id: its hash modulo the number of slots.
  ///
  /// The hash is FNV-1a with 64 bits (draft-eastlake-fnv). Its two halves are combined, because the
  /// lower bits alone are mixed less. It must never change, because stored trees are found by it.
  package func slot(of id: some Sequence<UInt8>) -> Int {
    let hash = Self.hash(of: id)
    return Int((hash ^ hash >> 32) & 0xFFFF_FFFF) % count
  }

  /// Returns a stable hash of bytes.
  package static func hash(of bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return hash
  }
}

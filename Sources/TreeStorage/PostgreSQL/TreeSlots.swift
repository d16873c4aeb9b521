/// The slots of a database, each of which has the trees and sessions whose ids lead to it.
public struct TreeSlots: Equatable, Sendable {
  /// The number of slots.
  public let count: Int

  /// Makes a number of slots, at least one.
  public init(count: Int) { self.count = max(count, 1) }

  /// Returns the slot of an id: its hash modulo the number of slots.
  ///
  /// The hash is FNV-1a of 64 bits (RFC draft-eastlake-fnv), of which the upper and the lower half
  /// are combined, because the lower bits alone are less mixed. It must never change, because
  /// stored trees are found by it.
  public func slot(of id: some Sequence<UInt8>) -> Int {
    let hash = Self.hash(of: id)
    return Int((hash ^ hash >> 32) & 0xFFFF_FFFF) % count
  }

  /// Returns a stable hash of bytes.
  public static func hash(of bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return hash
  }
}

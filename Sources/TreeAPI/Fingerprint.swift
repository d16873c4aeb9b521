/// A hash that is the same in every run of the program: 64-bit FNV-1a (RFC 9923).
///
/// It detects requests that a client confused. It does not resist deliberate collisions, with
/// which a client would only harm itself.
struct Fingerprint: Sendable {
  /// The hash of everything added so far.
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Creates the hash of no bytes.
  init() {}

  /// Creates the hash of one byte.
  init(of byte: UInt8) {
    add(CollectionOfOne(byte))
  }

  /// Adds bytes.
  ///
  /// The boundaries between calls make no difference.
  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }
  }

  /// Adds the eight bytes of a number in big-endian order.
  mutating func add(_ number: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) {
      add(CollectionOfOne(UInt8(truncatingIfNeeded: number >> UInt64(shift))))
    }
  }
}

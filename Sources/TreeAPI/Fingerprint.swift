/// A hash that is the same in every run of the program: FNV-1a in 64 bits (RFC 9923).
///
/// It detects requests that a client confused. It does not resist a client that makes two of its
/// own requests collide: such a client only deceives itself.
struct Fingerprint: Sendable {
  /// The hash of everything added so far.
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Makes the hash of no bytes.
  init() {}

  /// Makes the hash of one byte.
  init(of byte: UInt8) {
    add(CollectionOfOne(byte))
  }

  /// Adds bytes; the boundaries between additions make no difference.
  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }
  }

  /// Adds the eight bytes of a number, the highest first.
  mutating func add(_ number: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) {
      add(CollectionOfOne(UInt8(truncatingIfNeeded: number >> UInt64(shift))))
    }
  }
}

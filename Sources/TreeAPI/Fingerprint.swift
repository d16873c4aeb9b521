/// A hash that is the same in every run of the program: FNV-1a in 64 bits (RFC 9923).
///
/// It tells apart requests that a client confused, not ones that were made to collide: whoever
/// does that deceives nobody but himself.
struct Fingerprint: Sendable {
  /// The hash of what was added.
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Adds bytes; where one addition ends and the next begins makes no difference.
  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }
  }
}

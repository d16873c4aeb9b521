/// Stands for the bytes of an object that is kept no longer.
///
/// The seeded hash of all bytes, with their number: that two objects of one node with equal digests
/// differ has a probability of 2⁻⁶⁴, and nobody outside can choose them so.
struct ObjectDigest: Equatable, Sendable {
  private let count: Int
  private let hash: Int

  init(_ bytes: ArraySlice<UInt8>) {
    count = bytes.count
    hash = seededHash(of: bytes.span)
  }
}

/// Stands for the bytes of an object that is kept no longer.
///
/// The standard library's hash (SipHash-1-3 under a secret of the process) of all bytes, with their
/// number: that two objects of one node with equal digests differ has a probability of 2⁻⁶⁴, and
/// nobody outside can choose them so, for the secret is not known there.
struct ObjectDigest: Equatable, Sendable {
  private let count: Int
  private let hash: Int

  init(_ bytes: ArraySlice<UInt8>) {
    var hasher = Hasher()
    unsafe bytes.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
    count = bytes.count
    hash = hasher.finalize()
  }
}

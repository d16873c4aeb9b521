/// The standard library's hash of bytes: SipHash-1-3 under a secret of the process, so that nobody
/// outside can choose bytes that collide.
///
/// - Complexity: O(bytes).
public func seededHash(of bytes: Span<UInt8>) -> Int {
  var hasher = Hasher()
  unsafe bytes.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
  return hasher.finalize()
}

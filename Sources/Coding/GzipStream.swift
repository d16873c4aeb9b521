/// The state of one gzip stream between two of its pieces.
///
/// It is small, so that many idle streams can share one ``GzipEncoder``.
package struct GzipStream: Sendable {
  /// The maximum number of preceding bytes that the next piece may refer to.
  ///
  /// Consecutive events of one stream are alike, so this much history makes them small.
  static let maxTailBytes = 1_024

  /// The checksum (CRC-32; RFC 1952, 8) of all bytes encoded so far.
  var checksum: UInt = 0
  /// The number of bytes encoded so far, modulo 2³² (RFC 1952, 2.3.1).
  var count: UInt32 = 0
  /// The last bytes encoded so far, at most ``maxTailBytes``.
  var tail: [UInt8] = []
  /// True until the first piece, and with it the gzip header, is encoded.
  var isNew = true

  /// Creates the state of a stream of which nothing is encoded yet.
  package init() {}

  /// Keeps the last ``maxTailBytes`` bytes of the stream, `piece` included.
  mutating func record(_ piece: [UInt8]) {
    if piece.count < Self.maxTailBytes {
      tail.removeFirst(max(tail.count + piece.count - Self.maxTailBytes, 0))
    } else {
      tail.removeAll(keepingCapacity: true)
    }
    tail.append(contentsOf: piece.suffix(Self.maxTailBytes))
  }
}

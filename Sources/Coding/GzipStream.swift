/// Where content stands that is coded piece by piece.
///
/// This is all that is kept of it between two pieces: the encoder itself serves others meanwhile.
public struct GzipStream: Sendable {
  /// How many bytes of the pieces before the next one may refer to.
  ///
  /// Events of one stream are alike: this much of the last ones is what makes them small.
  static let maxTailBytes = 1_024

  /// The checksum of the pieces so far (CRC-32; RFC 1952, 8).
  var checksum: UInt = 0
  /// The bytes of the pieces so far; the format counts in 32 bits (RFC 1952, 2.3.1).
  var count: UInt32 = 0
  /// The last bytes of the pieces so far.
  var tail: [UInt8] = []
  /// Whether nothing of it is written yet.
  var isNew = true

  /// Content of which nothing is coded yet.
  public init() {}

  /// Keeps the last bytes of what was coded before and of a piece behind it.
  mutating func note(_ piece: [UInt8]) {
    if piece.count < Self.maxTailBytes {
      tail.removeFirst(max(tail.count + piece.count - Self.maxTailBytes, 0))
    } else {
      tail.removeAll(keepingCapacity: true)
    }
    tail.append(contentsOf: piece.suffix(Self.maxTailBytes))
  }
}

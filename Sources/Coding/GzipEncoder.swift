/// Codes content as gzip (RFC 1952), by the system's zlib.
///
/// One encoder serves any number of contents, a piece of this one and a piece of that one: what has
/// to be known between two pieces is in ``GzipStream``. So a thread needs one, about 270 KB, and
/// a stream that mostly waits costs next to nothing.
public struct GzipEncoder: ~Copyable {
  private var deflater: Deflater

  /// An encoder.
  ///
  /// - Parameter level: How hard it tries, 1...9.
  public init(level: Int) { deflater = Deflater(level: level) }

  /// Codes content that is all there.
  ///
  /// O(content).
  public mutating func encode(_ content: [UInt8]) -> [UInt8] {
    var stream = GzipStream()
    return encode(content, of: &stream, isLast: true)
  }

  /// Codes the next piece of content; all of it can be read as soon as what this returns is.
  ///
  /// O(piece).
  ///
  /// - Parameters:
  ///   - piece: The bytes; there may be none.
  ///   - stream: What the piece belongs to.
  ///   - isLast: Whether the content ends with it.
  /// - Returns: What is to be sent behind what was returned for the pieces before it.
  public mutating func encode(
    _ piece: [UInt8],
    of stream: inout GzipStream,
    isLast: Bool
  ) -> [UInt8] {
    var bytes = stream.isNew ? Self.header : []
    stream.isNew = false
    stream.checksum = Deflater.checksum(stream.checksum, adding: piece.span)
    stream.count &+= UInt32(truncatingIfNeeded: piece.count)
    bytes.append(addingCapacity: deflater.bound(of: piece.count) + Self.trailerCount) { output in
      deflater.deflate(piece.span, after: stream.tail.span, into: &output, isLast: isLast)
      if isLast {
        Self.append(UInt32(truncatingIfNeeded: stream.checksum), to: &output)
        Self.append(stream.count, to: &output)
      }
    }
    if !isLast { stream.note(piece) }
    return bytes
  }

  /// The magic number, deflate, no flags, no time, nothing of the level, no system (RFC 1952, 2.3).
  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
  private static let trailerCount = 8

  /// Appends a number, its lowest byte first.
  private static func append(_ number: UInt32, to output: inout OutputSpan<UInt8>) {
    for shift in stride(from: 0, to: 32, by: 8) {
      output.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}

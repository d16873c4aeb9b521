/// A gzip encoder (RFC 1952), backed by the system's zlib.
///
/// An encoder serves any number of streams, and their pieces may be interleaved. The state of a
/// stream between two pieces is a ``GzipStream``. A thread therefore needs one encoder of about
/// 270 KB, and an idle stream keeps about 1 KB.
package struct GzipEncoder: ~Copyable {
  private var deflater: Deflater

  /// Creates an encoder.
  ///
  /// - Parameter level: The zlib compression level, 1 (fastest) to 9 (smallest output).
  package init(level: Int) { deflater = Deflater(level: level) }

  /// Encodes complete content.
  ///
  /// - Complexity: O(count of `content`).
  package mutating func encode(_ content: [UInt8]) -> [UInt8] {
    var stream = GzipStream()
    return encode(content, of: &stream, isLast: true)
  }

  /// Encodes the next piece of a stream, so that the receiver can decode all of it at once.
  ///
  /// - Parameters:
  ///   - piece: The bytes to encode. It may be empty.
  ///   - stream: The stream that the piece belongs to. It is updated.
  ///   - isLast: True if the piece ends the content.
  /// - Returns: The bytes to send after those returned for the stream's earlier pieces.
  /// - Complexity: O(count of `piece`).
  package mutating func encode(
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
    if !isLast { stream.record(piece) }
    return bytes
  }

  /// The gzip header: deflate, no flags, no time, no level, unknown system (RFC 1952, 2.3).
  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
  private static let trailerCount = 8

  /// Appends a number in little-endian byte order.
  private static func append(_ number: UInt32, to output: inout OutputSpan<UInt8>) {
    for shift in stride(from: 0, to: 32, by: 8) {
      output.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}

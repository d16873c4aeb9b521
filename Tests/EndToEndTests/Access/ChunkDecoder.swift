/// An incremental decoder of chunked content (RFC 9112, section 7.1).
struct ChunkDecoder {
  /// The bytes that are not decoded yet; after the end, the bytes behind the content.
  private(set) var rest: [UInt8] = []
  /// True if the last chunk was decoded.
  private(set) var hasEnded = false

  /// Decodes further bytes.
  ///
  /// - Returns: The content of the chunks that are now complete.
  /// - Throws: ``WireError`` if a chunk is invalid.
  mutating func decode(_ more: some Sequence<UInt8>) throws -> [UInt8] {
    rest += more
    var (content, offset): ([UInt8], Int) = ([], 0)
    while !hasEnded, let line = rest[offset...].firstRange(of: Array("\r\n".utf8)) {
      let digits = String(decoding: rest[offset..<line.lowerBound], as: UTF8.self)
      guard let size = Int(digits, radix: 16) else {
        throw WireError("invalid chunk size: \(digits)")
      }
      guard rest.count - line.upperBound >= size + 2 else { break }
      content += rest[line.upperBound..<line.upperBound + size]
      offset = line.upperBound + size + 2
      hasEnded = size == 0
    }
    rest.removeFirst(offset)
    return content
  }
}

/// Reads content that comes in chunks (RFC 9112, section 7.1), in whatever pieces it arrives.
struct ChunkDecoder {
  /// What has arrived and is not decoded; after the end, what follows the content.
  private(set) var rest: [UInt8] = []
  /// Whether the last chunk has come.
  private(set) var hasEnded = false

  /// Decodes further bytes.
  ///
  /// - Returns: The content of the chunks that are whole now.
  /// - Throws: ``WireError`` when it is no chunk.
  mutating func decode(_ more: some Sequence<UInt8>) throws -> [UInt8] {
    rest += more
    var (content, offset): ([UInt8], Int) = ([], 0)
    while !hasEnded, let line = rest[offset...].firstRange(of: Array("\r\n".utf8)) {
      let digits = String(decoding: rest[offset..<line.lowerBound], as: UTF8.self)
      guard let size = Int(digits, radix: 16) else {
        throw WireError("this is no size of a chunk: \(digits)")
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

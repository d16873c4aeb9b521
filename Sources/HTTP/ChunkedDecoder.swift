/// A decoder of chunked framing (RFC 9112, 7.1), for input in pieces of any size.
///
/// A state machine by byte, except for the data, so that it never looks back. Extensions and
/// trailers are validated and discarded.
struct ChunkedDecoder: Sendable {
  private enum Stage {
    case size, sizeEnd, extensions, data, dataEnd, dataEndLineFeed
    case trailerStart, trailerName, trailerValue, trailerLineFeed, lastLineFeed, done
  }

  private let limits: Limits
  private let maxContentBytes: Int
  private var stage = Stage.size
  private var extensions = ChunkExtensions()
  private var sizeDigits = 0
  /// The chunk size while it is read, then the number of data bytes still missing.
  private var remaining = 0
  /// The sum of the chunk sizes so far.
  private var contentBytes = 0
  private var overheadBytes = 0
  private var trailerCount = 0

  /// Creates a decoder of content of at most `maxContentBytes`.
  init(limits: Limits, maxContentBytes: Int) {
    self.limits = limits
    self.maxContentBytes = maxContentBytes
  }

  /// Decodes the available input.
  ///
  /// - Parameters:
  ///   - bytes: The input.
  ///   - position: The first byte to consume; after the call, the first byte not consumed.
  ///   - body: The array to append the data to.
  /// - Returns: True if the content is complete.
  /// - Throws: The rule that the content breaks.
  mutating func decode(
    _ bytes: [UInt8],
    from position: inout Int,
    into body: inout [UInt8]
  ) throws(RequestRejection) -> Bool {
    while position < bytes.count, stage != .done {
      if stage == .data {
        let count = min(remaining, bytes.count - position)
        body.append(contentsOf: bytes[position..<position + count])
        position += count
        remaining -= count
        if remaining == 0 { stage = .dataEnd }
      } else {
        try parse(bytes[position])
        position += 1
      }
    }
    return stage == .done
  }

  private mutating func parse(_ byte: UInt8) throws(RequestRejection) {
    switch stage {
    case .size: try parseSize(byte)
    case .sizeEnd: try endSizeLine(byte)
    case .extensions: try parseExtension(byte)
    case .dataEnd: stage = try expect(.carriageReturn, byte, then: .dataEndLineFeed)
    case .dataEndLineFeed:
      stage = try expect(.lineFeed, byte, then: .size)
      sizeDigits = 0
    case .trailerStart, .trailerName, .trailerValue, .trailerLineFeed, .lastLineFeed:
      try parseTrailer(byte)
    case .data, .done: preconditionFailure("data is taken in runs, and nothing after the end")
    }
  }

  private mutating func parseSize(_ byte: UInt8) throws(RequestRejection) {
    if let digit = byte.hexadecimalValue {
      // 15 digits fit into an Int. A 16th may fit, too, so the shift is checked.
      guard sizeDigits < 16, remaining <= Int.max >> 4 else { throw .malformedChunkSize }
      remaining = remaining << 4 | Int(digit)
      sizeDigits += 1
      return
    }
    guard sizeDigits > 0 else { throw .malformedChunkSize }
    switch byte {
    case .carriageReturn: stage = .sizeEnd
    case UInt8(ascii: ";"):
      try countOverhead()
      stage = .extensions
      extensions = ChunkExtensions()
    default: throw .malformedChunkSize
    }
  }

  private mutating func parseExtension(_ byte: UInt8) throws(RequestRejection) {
    if byte == .carriageReturn {
      guard extensions.isWhole else { throw .malformedChunkExtension }
      stage = .sizeEnd
      return
    }
    try countOverhead()
    try refuseControl(byte)
    guard extensions.parse(byte) else { throw .malformedChunkExtension }
  }

  private mutating func endSizeLine(_ byte: UInt8) throws(RequestRejection) {
    guard byte == .lineFeed else { throw .bareCarriageReturn }
    guard remaining <= maxContentBytes - contentBytes else {
      throw .contentTooLarge(limit: maxContentBytes)
    }
    contentBytes += remaining
    stage = remaining == 0 ? .trailerStart : .data
  }

  /// Consumes a byte of the trailer section: field lines as in the head, then an empty line.
  private mutating func parseTrailer(_ byte: UInt8) throws(RequestRejection) {
    if stage != .lastLineFeed, stage != .trailerStart || byte != .carriageReturn {
      try countOverhead()
    }
    switch stage {
    case .trailerStart where byte == .carriageReturn: stage = .lastLineFeed
    case .trailerStart:
      trailerCount += 1
      guard trailerCount <= limits.maxHeaderFields else {
        throw .tooManyFields(limit: limits.maxHeaderFields)
      }
      guard !byte.isOptionalWhitespace else { throw .foldedField }
      guard byte.isTokenCharacter else { throw .malformedFieldLine }
      stage = .trailerName
    case .trailerName where byte == UInt8(ascii: ":"): stage = .trailerValue
    case .trailerName:
      guard byte.isTokenCharacter else {
        throw byte.isOptionalWhitespace ? .whitespaceBeforeColon : .malformedFieldLine
      }
    case .trailerValue where byte == .carriageReturn: stage = .trailerLineFeed
    case .trailerValue: try refuseControl(byte)
    case .trailerLineFeed:
      guard byte == .lineFeed else { throw .bareCarriageReturn }
      stage = .trailerStart
    default:
      guard byte == .lineFeed else { throw .bareCarriageReturn }
      stage = .done
    }
  }

  private mutating func countOverhead() throws(RequestRejection) {
    overheadBytes += 1
    guard overheadBytes <= limits.maxChunkOverheadBytes else {
      throw .chunkOverheadTooLarge(limit: limits.maxChunkOverheadBytes)
    }
  }

  private func refuseControl(_ byte: UInt8) throws(RequestRejection) {
    if byte == .lineFeed { throw .bareLineFeed }
    if byte.isForbiddenControl { throw .controlCharacter }
  }

  private func expect(
    _ expected: UInt8,
    _ byte: UInt8,
    then next: Stage
  ) throws(RequestRejection) -> Stage {
    guard byte == expected else { throw .malformedChunk }
    return next
  }
}

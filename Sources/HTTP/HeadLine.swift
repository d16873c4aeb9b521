/// The lines of a head, of requests and responses alike.
enum HeadLine {
  /// Moves a position to the CRLF that ends a line without control characters but HTAB.
  ///
  /// Nothing behind the limit is read, so the result does not depend on how the input is split.
  ///
  /// - Parameters:
  ///   - bytes: All input.
  ///   - position: The first byte not yet examined; after the call, the place to go on from.
  ///   - limit: The last offset at which the line may end.
  ///   - tooLong: The rejection of a longer line.
  /// - Returns: False if the line is incomplete.
  /// - Throws: The rule that the line breaks.
  @inline(__always)
  static func seekEnd(
    in bytes: [UInt8],
    from position: inout Int,
    atMost limit: Int,
    tooLong: RequestRejection
  ) throws(RequestRejection) -> Bool {
    guard position <= limit else { throw tooLong }
    position = TextScan.firstControl(in: bytes.span, from: position, to: min(bytes.count, limit))
    guard position < bytes.count else { return false }
    guard bytes[position] == .carriageReturn else {
      if bytes[position] == .lineFeed { throw .bareLineFeed }
      throw bytes[position].isForbiddenControl ? .controlCharacter : tooLong
    }
    guard position + 1 < bytes.count else { return false }
    guard bytes[position + 1] == .lineFeed else { throw .bareCarriageReturn }
    return true
  }

  /// Parses `name ":" OWS value OWS` (RFC 9112, 5).
  ///
  /// - Parameters:
  ///   - text: The bytes that contain the line.
  ///   - line: The range of the line without its CRLF; not empty.
  /// - Returns: The ranges of the name and the value.
  /// - Throws: The rule that the line breaks.
  @inline(__always)
  static func parseField(
    in text: Span<UInt8>,
    _ line: Range<Int>
  ) throws(RequestRejection) -> (name: Range<Int>, value: Range<Int>) {
    guard !text[line.lowerBound].isOptionalWhitespace else { throw .foldedField }
    var nameEnd = TextScan.endOfUsualName(in: text, from: line.lowerBound, to: line.upperBound)
    while nameEnd < line.upperBound, text[nameEnd].isTokenCharacter { nameEnd += 1 }
    guard nameEnd < line.upperBound, text[nameEnd] == UInt8(ascii: ":") else {
      let isSpace = nameEnd < line.upperBound && text[nameEnd].isOptionalWhitespace
      throw isSpace ? .whitespaceBeforeColon : .malformedFieldLine
    }
    guard nameEnd > line.lowerBound else { throw .malformedFieldLine }
    return (line.lowerBound..<nameEnd, trimmedRange(of: text, in: nameEnd + 1..<line.upperBound))
  }
}

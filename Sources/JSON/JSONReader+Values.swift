extension JSONReader {
  /// Skips and validates a value of any kind.
  ///
  /// - Returns: The range of the value, without the white space around it.
  /// - Throws: The first syntax fault.
  /// - Complexity: O(length of the value), without recursion.
  public mutating func skipValue() throws(JSONError) -> Range<Int> {
    try skipValue(depth: depth, maxDepth: maxDepth)
  }

  /// Skips and validates a value of any kind, with a separate limit for its depth.
  ///
  /// - Parameter maxOwnDepth: The maximum nesting of arrays and objects in the value. Containers
  ///   around the value do not count.
  /// - Returns: The range of the value, without the white space around it.
  /// - Throws: The first syntax fault.
  /// - Complexity: O(length of the value), without recursion.
  public mutating func skipValue(maxOwnDepth: Int) throws(JSONError) -> Range<Int> {
    try skipValue(depth: 0, maxDepth: maxOwnDepth)
  }

  private mutating func skipValue(depth: Int, maxDepth: Int) throws(JSONError) -> Range<Int> {
    _ = try peekKind()
    let start = offset
    offset = try ValueScan.end(
      bytes.span.extracting(..<end),
      from: start,
      depth: depth,
      maxDepth: maxDepth
    )
    return start..<offset
  }

  /// Reads an integer: a number without fraction or exponent that fits into `Int`.
  ///
  /// - Throws: ``JSONError/Reason/wrongType`` if the next value is not a number,
  ///   ``JSONError/Reason/notAnInteger`` if it is another number, or a syntax fault.
  public mutating func readInt() throws(JSONError) -> Int {
    try expect(.number)
    let start = offset
    offset = try Scan.number(bytes.span.extracting(..<end), start)
    guard let value = JSONReader.integer(bytes.span.extracting(start..<offset)) else {
      throw JSONError(.notAnInteger, at: start)
    }
    return value
  }

  /// Reads `true` or `false`.
  ///
  /// - Throws: ``JSONError/Reason/wrongType`` if the next value is neither, or a syntax fault.
  public mutating func readBool() throws(JSONError) -> Bool {
    try expect(.boolean)
    let isTrue = bytes[offset] == Ascii.t
    offset = try Scan.scalar(bytes.span.extracting(..<end), offset)
    return isTrue
  }

  /// Reads `null`.
  ///
  /// - Throws: ``JSONError/Reason/wrongType`` if the next value is not `null`, or a syntax fault.
  public mutating func readNull() throws(JSONError) {
    try expect(.null)
    offset = try Scan.scalar(bytes.span.extracting(..<end), offset)
  }

  /// Reads a string without decoding it.
  ///
  /// - Throws: ``JSONError/Reason/wrongType`` if the next value is not a string, or a syntax fault.
  public mutating func readString() throws(JSONError) -> JSONString {
    try expect(.string)
    let string = try Scan.string(bytes.span.extracting(..<end), offset)
    offset = string.range.upperBound &+ 1
    return string
  }

  /// Throws unless the next value is of a kind.
  ///
  /// Consumes only white space.
  public mutating func expect(_ kind: JSONKind) throws(JSONError) {
    guard try peekKind() == kind else { throw JSONError(.wrongType, at: offset) }
  }

  /// Returns the value of a JSON number, or `nil` if it is no integer or does not fit.
  private static func integer(_ digits: Span<UInt8>) -> Int? {
    let isNegative = digits[0] == Ascii.minus
    var value = 0
    for i in (isNegative ? 1 : 0)..<digits.count {
      guard Ascii.isDigit(digits[i]) else { return nil }
      let digit = Int(digits[i] &- Ascii.zero)
      let (scaled, overflowed) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflowedToo) = scaled.addingReportingOverflow(isNegative ? -digit : digit)
      guard !overflowed, !overflowedToo else { return nil }
      value = sum
    }
    return value
  }
}

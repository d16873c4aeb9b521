/// Byte classes of the HTTP grammar. Those of `Character` follow Unicode and do not fit.
extension UInt8 {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20

  /// True if the byte is a `tchar` (RFC 9110, 5.6.2).
  var isTokenCharacter: Bool {
    // Names are mostly letters. The other characters are looked up in bit sets of 64 bytes each.
    if isLetter { return true }
    let members: UInt64 = self < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
    return self < 128 && members >> UInt64(self & 63) & 1 == 1
  }

  /// True if the byte is a `DIGIT`.
  var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  /// True if the byte is an `ALPHA`.
  var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

  /// True if the byte is optional white space: SP or HTAB (RFC 9110, 5.6.3).
  var isOptionalWhitespace: Bool { self == .space || self == .tab }

  /// True if the byte is a control character that is forbidden in any line of a message.
  var isForbiddenControl: Bool { (self < .space && self != .tab) || self == 0x7F }

  /// The byte with the letters `A`–`Z` in lower case; other bytes are unchanged.
  @inlinable var lowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }

  /// The value of a `HEXDIG`, or nil for other bytes.
  var hexadecimalValue: UInt8? {
    if isDigit { return self &- UInt8(ascii: "0") }
    let letter = (self | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }
}

extension Array where Element == UInt8 {
  /// Appends a non-negative number in decimal digits.
  mutating func append(decimal number: some BinaryInteger) {
    let (tens, units) = UInt64(number).quotientAndRemainder(dividingBy: 10)
    if tens > 0 { append(decimal: tens) }
    append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: units))
  }

  /// Appends the last `digits` decimal digits of a non-negative number.
  mutating func append(decimal number: Int, digits: Int) {
    let (tens, units) = number.quotientAndRemainder(dividingBy: 10)
    if digits > 1 { append(decimal: tens, digits: digits - 1) }
    append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: units))
  }
}

/// Returns true if two byte strings differ at most in the case of ASCII letters.
@inlinable
public func equalIgnoringCase(
  _ left: some Collection<UInt8>,
  _ right: some Collection<UInt8>
) -> Bool {
  guard left.count == right.count else { return false }
  var others = right.makeIterator()
  for byte in left where byte.lowercased != others.next()?.lowercased { return false }
  return true
}

/// Returns true if two spans differ at most in the case of ASCII letters; fast if they are equal.
func equalIgnoringCase(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  for place in left.indices where left[place] != right[place] {
    guard left[place].lowercased == right[place].lowercased else { return false }
  }
  return true
}

/// Calls `body` with each element of a comma-separated list (RFC 9110, 5.6.1.2).
///
/// White space is trimmed and empty elements are skipped. A comma in a quoted string does not
/// separate elements.
public func forEachListElement(
  of list: ArraySlice<UInt8>,
  _ body: (ArraySlice<UInt8>) -> Void
) {
  var start = list.startIndex
  while start < list.endIndex {
    let end = endOfPart(of: list[start...], before: UInt8(ascii: ","))
    let element = trimmingOptionalWhitespace(list[start..<end])
    if !element.isEmpty { body(element) }
    start = end + 1
  }
}

/// Returns the index of the first separator outside of quoted strings (RFC 9110, 5.6.4).
///
/// Returns the end index if there is none.
public func endOfPart(of bytes: ArraySlice<UInt8>, before separator: UInt8) -> Int {
  var (isQuoted, isEscaped) = (false, false)
  for place in bytes.indices {
    let byte = bytes[place]
    if isEscaped {
      isEscaped = false
    } else if isQuoted, byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isQuoted.toggle()
    } else if byte == separator, !isQuoted {
      return place
    }
  }
  return bytes.endIndex
}

/// Returns the bytes without optional white space (SP, HTAB) at either end.
public func trimmingOptionalWhitespace(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  let first = bytes.startIndex
  let trimmed = trimmedRange(of: bytes.span, in: 0..<bytes.count)
  return bytes[first + trimmed.lowerBound..<first + trimmed.upperBound]
}

/// Returns a range without optional white space at either end.
func trimmedRange(of bytes: Span<UInt8>, in range: Range<Int>) -> Range<Int> {
  var (start, end) = (range.lowerBound, range.upperBound)
  while start < end, bytes[start].isOptionalWhitespace { start += 1 }
  while end > start, bytes[end - 1].isOptionalWhitespace { end -= 1 }
  return start..<end
}

extension Scan {
  /// Skips and validates a string whose opening quote is at `start`.
  @inline(__always)
  static func stringEnd(_ text: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
    let end = plain(text, start &+ 1)
    if end < text.count, text[end] == Ascii.quote { return end &+ 1 }
    return try string(text, start, from: end).range.upperBound &+ 1
  }

  /// Reads a string (RFC 8259 section 7) and validates its escapes and UTF-8.
  ///
  /// The opening quote is at `start`.
  @inline(__always)
  static func string(_ text: Span<UInt8>, _ start: Int) throws(JSONError) -> JSONString {
    let end = plain(text, start &+ 1)
    if end < text.count, text[end] == Ascii.quote {
      return JSONString(range: (start &+ 1)..<end, hasEscapes: false)
    }
    return try string(text, start, from: end)
  }

  /// Skips the rest of a string that is plain up to an offset; returns `nil` if it is invalid.
  @inline(never)
  static func stringEnd(_ text: Span<UInt8>, _ start: Int, from plainEnd: Int) -> Int? {
    do throws(JSONError) {
      return try string(text, start, from: plainEnd).range.upperBound &+ 1
    } catch {
      return nil
    }
  }

  /// Reads the rest of a string that is plain up to `plainEnd`.
  @inline(never)
  private static func string(
    _ text: Span<UInt8>,
    _ start: Int,
    from plainEnd: Int
  ) throws(JSONError) -> JSONString {
    var i = plainEnd
    var hasEscapes = false
    while true {
      i = plain(text, i)
      guard i < text.count else { throw JSONError(.unexpectedEnd, at: i) }
      switch text[i] {
      case Ascii.quote:
        return JSONString(range: (start &+ 1)..<i, hasEscapes: hasEscapes)
      case Ascii.backslash:
        hasEscapes = true
        i = try escape(text, i)
      case 0x80...:
        repeat { i = try multibyte(text, i) } while i < text.count && text[i] >= 0x80
      default:
        throw JSONError(.controlByteInString, at: i)
      }
    }
  }

  /// Skips characters of a string that need no decoding, of which the first has several bytes.
  ///
  /// - Returns: The offset of the first quote, backslash, control byte or invalid UTF-8.
  @usableFromInline
  @inline(never)
  static func plainWithMultibytes(_ text: Span<UInt8>, _ start: Int) -> Int {
    var i = start
    while i < text.count, text[i] >= 0x80 {
      guard let end = try? multibyte(text, i) else { return i }
      i = end < text.count && text[end] >= 0x80 ? end : plain(text, end)
    }
    return i
  }

  /// Skips and validates the escape at `start`.
  private static func escape(_ text: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
    guard start &+ 1 < text.count else { throw JSONError(.unexpectedEnd, at: text.count) }
    switch text[start &+ 1] {
    case Ascii.quote, Ascii.backslash, Ascii.slash, Ascii.b, Ascii.f, Ascii.n, Ascii.r, Ascii.t:
      return start &+ 2
    case Ascii.u:
      return try unicodeEscape(text, start).end
    default:
      throw JSONError(.invalidEscape, at: start)
    }
  }

  /// Decodes `\uXXXX`, or two of them that form a surrogate pair.
  ///
  /// The backslash is at `start`.
  static func unicodeEscape(
    _ text: Span<UInt8>,
    _ start: Int
  ) throws(JSONError) -> (scalar: UInt32, end: Int) {
    let first = try hexUnit(text, start)
    switch first {
    case 0xD800...0xDBFF:
      let next = start &+ 6
      guard next < text.count else { throw JSONError(.unexpectedEnd, at: text.count) }
      guard text[next] == Ascii.backslash else { throw JSONError(.loneSurrogate, at: start) }
      guard next &+ 1 < text.count else { throw JSONError(.unexpectedEnd, at: text.count) }
      guard text[next &+ 1] == Ascii.u else { throw JSONError(.loneSurrogate, at: start) }
      let second = try hexUnit(text, next)
      guard 0xDC00...0xDFFF ~= second else { throw JSONError(.loneSurrogate, at: start) }
      return (0x10000 &+ (first &- 0xD800) &<< 10 &+ (second &- 0xDC00), next &+ 6)
    case 0xDC00...0xDFFF:
      throw JSONError(.loneSurrogate, at: start)
    default:
      return (first, start &+ 6)
    }
  }

  /// Returns the value of the four hexadecimal digits after the `\u` at `start`.
  private static func hexUnit(_ text: Span<UInt8>, _ start: Int) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for i in (start &+ 2)..<(start &+ 6) {
      guard i < text.count else { throw JSONError(.unexpectedEnd, at: text.count) }
      guard let digit = Ascii.hexValue(text[i]) else {
        throw JSONError(.invalidEscape, at: start)
      }
      unit = unit &<< 4 | digit
    }
    return unit
  }
}

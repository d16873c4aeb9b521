extension Scan {
  /// Skips one scalar of two to four bytes (RFC 3629 section 4, Unicode table 3-7).
  ///
  /// Overlong forms, surrogates and values above U+10FFFF are rejected.
  ///
  /// - Throws: ``JSONError/Reason/invalidUTF8`` at the first byte of the scalar, or
  ///   ``JSONError/Reason/unexpectedEnd`` if the text ends inside it.
  static func multibyte(_ text: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
    let lead = text[start]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: throw JSONError(.invalidUTF8, at: start)
    }
    for k in 1..<length {
      let i = start &+ k
      guard i < text.count else { throw JSONError(.unexpectedEnd, at: text.count) }
      let allowed = k == 1 ? second : 0x80...0xBF
      guard allowed ~= text[i] else { throw JSONError(.invalidUTF8, at: start) }
    }
    return start &+ length
  }
}

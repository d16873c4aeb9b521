extension RawJSON {
  /// An error for bytes that are not one JSON value.
  package struct ParseError: Error, CustomStringConvertible {
    /// The offset in bytes at which the parser stopped.
    package let offset: Int
    /// The message.
    package var description: String { "not JSON at byte \(offset)" }
  }

  /// Parses one JSON value with white space around it.
  ///
  /// - Throws: ``ParseError`` at the first byte that does not fit the grammar.
  package init(parsing bytes: [UInt8]) throws(ParseError) {
    var reader = Reader(bytes: bytes)
    reader.skipSpace()
    self = try reader.value()
    reader.skipSpace()
    guard reader.offset == bytes.count else { throw ParseError(offset: reader.offset) }
  }

  /// Parses one JSON value of text.
  package init(parsing text: String) throws(ParseError) {
    try self.init(parsing: Array(text.utf8))
  }
}

/// A recursive descent parser of JSON; `offset` is that of the next byte.
private struct Reader {
  let bytes: [UInt8]
  var offset = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  var next: UInt8? {
    offset < bytes.count ? bytes[offset] : nil
  }

  func failure() -> RawJSON.ParseError {
    RawJSON.ParseError(offset: offset)
  }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      offset += 1
    }
  }

  mutating func consume(_ text: String) -> Bool {
    var end = offset
    for byte in text.utf8 {
      guard end < bytes.count, bytes[end] == byte else { return false }
      end += 1
    }
    offset = end
    return true
  }

  mutating func value() throws(RawJSON.ParseError) -> RawJSON {
    let start = offset
    let kind: RawJSON.Kind
    switch next {
    case UInt8(ascii: "{"): kind = .object(try members())
    case UInt8(ascii: "["): kind = .array(try elements())
    case UInt8(ascii: "\""): kind = .string(try string())
    default:
      if consume("null") {
        kind = .null
      } else if consume("true") {
        kind = .bool(true)
      } else if consume("false") {
        kind = .bool(false)
      } else {
        try number()
        kind = .number
      }
    }
    return RawJSON(kind: kind, bytes: Array(bytes[start..<offset]))
  }

  mutating func members() throws(RawJSON.ParseError) -> [RawJSON.Member] {
    var members: [RawJSON.Member] = []
    offset += 1
    skipSpace()
    if consume("}") { return [] }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure() }
      let name = try string()
      skipSpace()
      guard consume(":") else { throw failure() }
      skipSpace()
      members.append(RawJSON.Member(name: name, value: try value()))
      skipSpace()
      if consume("}") { return members }
      guard consume(",") else { throw failure() }
    }
  }

  mutating func elements() throws(RawJSON.ParseError) -> [RawJSON] {
    var elements: [RawJSON] = []
    offset += 1
    skipSpace()
    if consume("]") { return [] }
    while true {
      skipSpace()
      elements.append(try value())
      skipSpace()
      if consume("]") { return elements }
      guard consume(",") else { throw failure() }
    }
  }

  mutating func number() throws(RawJSON.ParseError) {
    _ = consume("-")
    let whole = digits()
    guard whole == 1 || (whole > 1 && bytes[offset - whole] != UInt8(ascii: "0")) else {
      throw failure()
    }
    if consume("."), digits() == 0 { throw failure() }
    if consume("e") || consume("E") {
      if !consume("+") { _ = consume("-") }
      guard digits() > 0 else { throw failure() }
    }
  }

  mutating func digits() -> Int {
    let start = offset
    while let byte = next, (0x30...0x39).contains(byte) { offset += 1 }
    return offset - start
  }

  mutating func string() throws(RawJSON.ParseError) -> [UInt8] {
    var text: [UInt8] = []
    offset += 1
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        guard String(validating: text, as: UTF8.self) != nil else { throw failure() }
        return text
      case UInt8(ascii: "\\"): text += try escape()
      case 0..<0x20: throw failure()
      default:
        text.append(byte)
        offset += 1
      }
    }
    throw failure()
  }

  mutating func escape() throws(RawJSON.ParseError) -> [UInt8] {
    let simple: [(String, UInt8)] = [
      ("\\\"", 0x22), ("\\\\", 0x5C), ("\\/", 0x2F), ("\\b", 0x08), ("\\f", 0x0C),
      ("\\n", 0x0A), ("\\r", 0x0D), ("\\t", 0x09),
    ]
    for (text, byte) in simple where consume(text) { return [byte] }
    var units = [try unit()]
    if UTF16.isLeadSurrogate(units[0]) { units.append(try unit()) }
    guard let text = String(validating: units, as: UTF16.self) else { throw failure() }
    return Array(text.utf8)
  }

  mutating func unit() throws(RawJSON.ParseError) -> UInt16 {
    guard consume("\\u"), offset + 4 <= bytes.count else { throw failure() }
    var unit: UInt16 = 0
    for byte in bytes[offset..<offset + 4] {
      guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { throw failure() }
      unit = unit << 4 | UInt16(digit)
    }
    offset += 4
    return unit
  }
}

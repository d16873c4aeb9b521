import JSON

/// A token of JSON text.
enum JSONToken: Equatable {
  case beginObject, beginArray, end, null
  case boolean(Bool)
  case name([UInt8])
  case string([UInt8])
  case number([UInt8])

  /// Parses a text into tokens.
  static func list(of text: [UInt8]) throws(JSONError) -> [JSONToken] {
    var reader = JSONReader(text)
    var tokens: [JSONToken] = []
    var open: [JSONKind] = []
    try appendValue(from: &reader, to: &tokens, &open)
    while let container = open.last {
      if container == .object {
        guard let name = try reader.nextMember() else {
          tokens.append(.end)
          open.removeLast()
          continue
        }
        tokens.append(.name(name.decoded(from: text)))
      } else if try !reader.nextElement() {
        tokens.append(.end)
        open.removeLast()
        continue
      }
      try appendValue(from: &reader, to: &tokens, &open)
    }
    try reader.finish()
    return tokens
  }

  /// Appends the tokens of the next value; of an array or object only the beginning.
  private static func appendValue(
    from reader: inout JSONReader,
    to tokens: inout [JSONToken],
    _ open: inout [JSONKind]
  ) throws(JSONError) {
    let kind = try reader.peekKind()
    switch kind {
    case .object:
      try reader.beginObject()
      tokens.append(.beginObject)
      open.append(kind)
    case .array:
      try reader.beginArray()
      tokens.append(.beginArray)
      open.append(kind)
    case .string: tokens.append(.string(try reader.readString().decoded(from: reader.bytes)))
    case .number: tokens.append(.number(Array(reader.bytes[try reader.skipValue()])))
    case .boolean: tokens.append(.boolean(try reader.readBool()))
    case .null:
      try reader.readNull()
      tokens.append(.null)
    }
  }

  /// Writes tokens as text.
  static func text(of tokens: [JSONToken]) -> [UInt8] {
    var bytes: [UInt8] = []
    var open: [JSONToken] = []
    var needsComma = false
    for token in tokens {
      if token != .end, needsComma { bytes.append(UInt8(ascii: ",")) }
      needsComma = true
      switch token {
      case .beginObject, .beginArray:
        bytes.append(UInt8(ascii: token == .beginObject ? "{" : "["))
        open.append(token)
        needsComma = false
      case .end: bytes.append(UInt8(ascii: open.popLast() == .beginObject ? "}" : "]"))
      case .name(let name):
        bytes += value { $0.string(name[...]) } + [UInt8(ascii: ":")]
        needsComma = false
      case .string(let string): bytes += value { $0.string(string[...]) }
      case .number(let number): bytes += value { $0.raw(number[...]) }
      case .boolean(let boolean): bytes += value { $0.boolean(boolean) }
      case .null: bytes += value { $0.null() }
      }
    }
    return bytes
  }

  private static func value(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    write(&writer)
    return writer.finish()
  }
}

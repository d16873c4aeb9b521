import JSON

/// The fast path reads what the general reader reads, from any byte of any text.
enum QuickLaw {
  static func check(_ text: [UInt8], _ start: Int) throws(FuzzFinding) {
    try checkString(text, start)
    try check(text, start, "integer", { $0.integer($1) }) { try $0.readInt() }
    try check(text, start, "boolean", { $0.boolean($1) }) { try $0.readBool() }
    try check(text, start, "null", { $0.null($1) ? true : nil }) {
      try $0.readNull()
      return true
    }
    let span = text.span
    var quick = QuickReader(at: start)
    let value = quick.value(span, maxDepth: 5)
    var reader = JSONReader(text, in: start..<text.count, maxDepth: 5)
    let isSpace = " \n\r\t".utf8.contains(text[start])
    let read = isSpace ? nil : try? reader.skipValue()
    try FuzzFinding.expect(value == read, "value at \(start): \(value as Any), \(read as Any)")
  }

  /// Checks that the general reader reads the same wherever the fast path succeeds.
  private static func check<Value: Equatable>(
    _ text: [UInt8],
    _ start: Int,
    _ kind: String,
    _ readQuickly: (inout QuickReader, Span<UInt8>) -> Value?,
    _ read: (inout JSONReader) throws -> Value
  ) throws(FuzzFinding) {
    let span = text.span
    var quick = QuickReader(at: start)
    guard let found = readQuickly(&quick, span) else { return }
    var reader = JSONReader(text, in: start..<text.count)
    let value = try? read(&reader)
    let isSame = value == found && reader.offset == quick.offset
    try FuzzFinding.expect(isSame, "\(kind) at \(start): \(found), \(value as Any)")
  }

  /// Checks that the fast path reads a string if and only if it has no escapes. The same holds for
  /// a word that is short.
  private static func checkString(_ text: [UInt8], _ start: Int) throws(FuzzFinding) {
    let span = text.span
    var quick = QuickReader(at: start)
    let range = quick.string(span)
    var reader = JSONReader(text, in: start..<text.count)
    let string = text[start] == UInt8(ascii: "\"") ? try? reader.readString() : nil
    let plain = string.flatMap { $0.hasEscapes ? nil : $0.range }
    try FuzzFinding.expect(range == plain, "string at \(start): \(range as Any)")
    guard let plain else { return }
    try FuzzFinding.expect(quick.offset == reader.offset, "the end of the string at \(start)")
    quick.offset = start
    guard quick.word(span) != nil else {
      let isShort = plain.count <= 15 && start + 17 <= text.count
      return try FuzzFinding.expect(!isShort, "a short string at \(start) is no word")
    }
    try FuzzFinding.expect(quick.offset == reader.offset, "the end of the word at \(start)")
  }
}

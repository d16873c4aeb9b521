import HTTP

/// Chunked content is decoded as the grammar of RFC 9112, 7.1 says, or refused.
enum ChunkLaw {
  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    var wire = Wire()
    wire.feed(head[...])
    wire.feed(input[...])
    let expected = read(input)
    try FuzzFinding.expect(
      wire.contents.first == expected,
      "\(String(describing: wire.contents.first)) is not \(String(describing: expected))"
    )
    guard let expected else { return }
    var again = Wire()
    again.feed(head[...])
    again.feed(chunks(of: expected)[...])
    try FuzzFinding.expect(again.contents == [expected], "in other chunks, the content differs")
  }

  private static let head = Array(
    "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n".utf8
  )

  /// Returns the content in chunks of growing sizes.
  private static func chunks(of content: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = content[...]
    var size = 1
    while !rest.isEmpty {
      let chunk = rest.prefix(size)
      bytes += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
      rest = rest.dropFirst(size)
      size += 3
    }
    return bytes + Array("0\r\n\r\n".utf8)
  }

  /// Decodes content in a simple way; returns nil if it is incomplete or invalid.
  private static func read(_ input: [UInt8]) -> [UInt8]? {
    var rest = input[...]
    var content: [UInt8] = []
    var overhead = 0
    while true {
      guard let line = line(&rest) else { return nil }
      let digits = line.prefix { isDigit($0) }
      let extensions = line.dropFirst(digits.count)
      guard 1...16 ~= digits.count, areExtensions(extensions),
        let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return nil }
      overhead += extensions.count
      guard size <= Wire.limits.maxBodyBytes - content.count else { return nil }
      if size == 0 { break }
      guard rest.count >= size + 2, rest.dropFirst(size).starts(with: "\r\n".utf8) else {
        return nil
      }
      content += rest.prefix(size)
      rest = rest.dropFirst(size + 2)
    }
    guard let trailers = trailerBytes(&rest) else { return nil }
    return overhead + trailers <= Wire.limits.maxChunkOverheadBytes ? content : nil
  }

  /// Returns true if a text is a list of chunk extensions, from the first `;` on.
  private static func areExtensions(_ bytes: ArraySlice<UInt8>) -> Bool {
    let token = #"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"#
    let value = #"(\#(token)|"([^"\\]|\\[^\x00])*")"#
    let pattern = #"([ \t]*;[ \t]*\#(token)([ \t]*=[ \t]*\#(value))?)*"#
    guard bytes.first.map({ $0 == UInt8(ascii: ";") }) ?? true,
      let regex = try? Regex(pattern)
    else { return bytes.isEmpty }
    // Each byte becomes a scalar, as bytes beyond ASCII are valid in names and values.
    let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    return (try? regex.matchingSemantics(.unicodeScalar).wholeMatch(in: text)) != nil
  }

  /// Consumes the trailers and returns their length in bytes; nil if they are incomplete or
  /// invalid.
  private static func trailerBytes(_ rest: inout ArraySlice<UInt8>) -> Int? {
    var bytes = 0
    var count = 0
    while let line = line(&rest) {
      if line.isEmpty { return bytes }
      let name = line.prefix { $0 != UInt8(ascii: ":") }
      count += 1
      guard count <= Wire.limits.maxHeaderFields, !name.isEmpty, name.count < line.count,
        name.allSatisfy(isToken)
      else { return nil }
      bytes += line.count + 2
    }
    return nil
  }

  /// Consumes a line without control characters other than HTAB; returns nil if there is none.
  private static func line(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let line = rest.prefix { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    guard rest[line.endIndex...].starts(with: "\r\n".utf8) else { return nil }
    rest = rest[(line.endIndex + 2)...]
    return line
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    "0123456789abcdefABCDEF".utf8.contains(byte)
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return "\(letters)0123456789!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// Chunks with the most bytes of extensions that are allowed, and with one byte more.
  private static let long = [0, 1].map { more in
    let name = String(repeating: "a", count: Wire.limits.maxChunkOverheadBytes - 1 + more)
    return "1;\(name)\r\nx\r\n0\r\n\r\n"
  }

  static let corpus: [[UInt8]] = [
    "5\r\nhello\r\n0\r\n\r\n", "0\r\n\r\n", "1;a=\"b\"\r\nx\r\n00A\r\n0123456789\r\n0;z\r\n\r\n",
    "1; a = \"\\\";\" ; b=c\r\nx\r\n0\r\n\r\n", "1;\r\nx\r\n0\r\n\r\n",
    "2\r\nab\r\n0\r\nA: b\r\nC:\r\n\r\n", "3e8\r\n", "ffffffffffffffff\r\n", "5\r\nhell\r\n",
    "0\r\nA : b\r\n\r\n", "1\r\nx\r\n0\r\nContent-Length: 5\r\n\r\n",
    long[0], long[1],
  ].map { Array($0.utf8) }
}

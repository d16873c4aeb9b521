import JSON
import TestSupport
import Testing

@Suite struct RobustnessTests {
  static let documents = [
    "{\"a\":[1,-2.5e+3,true,false,null],\"é\":{\"\\u00e9\\ud83d\\ude00\":\"x\\ny😀\"}}",
    "[[[[\"12345678901234567890\"]]],{\"k\":{}},[],{}]",
    "\"a long string, longer than eight bytes, with \\\\ and ü\"",
  ]

  @Test(arguments: documents) func `every prefix of a valid document is refused`(_ json: String) {
    let bytes = utf8(json)
    #expect(fault(bytes) == nil)
    for count in 0..<bytes.count {
      #expect(fault(Array(bytes.prefix(count))) != nil, "prefix of \(count) bytes")
    }
  }

  @Test(arguments: documents) func `white space is accepted between all tokens`(_ json: String) {
    var spaced: [UInt8] = []
    var isInString = false
    var isEscaped = false
    for byte in utf8(json) {
      let isToken = !isInString && "[]{},:".utf8.contains(byte)
      spaced += isToken ? utf8(" \n") + [byte] + utf8("\t\r") : [byte]
      if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    #expect(fault(spaced) == nil)
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
  func `nesting up to the limit is accepted, deeper nesting is refused`(_ opening: String) {
    let perRound = opening.utf8.filter { "[{".utf8.contains($0) }.count
    let rounds = 600 / perRound
    let depth = rounds * perRound
    let closing = text(
      opening.utf8.reversed().compactMap { (byte: UInt8) -> UInt8? in
        byte == UInt8(ascii: "[")
          ? UInt8(ascii: "]")
          : byte == UInt8(ascii: "{")
            ? UInt8(ascii: "}") : nil
      }
    )
    let bytes = utf8(
      String(repeating: opening, count: rounds) + "0" + String(repeating: closing, count: rounds)
    )
    #expect(fault(bytes, maxDepth: depth) == nil)
    let found = fault(bytes, maxDepth: depth - 1)
    #expect(found?.reason == .tooDeep(limit: depth - 1))
    #expect(found.map { "[{".utf8.contains(bytes[$0.offset]) } == true)
  }

  @Test func `tooDeep names the whole limit, also inside open containers`() throws {
    var reader = JSONReader(utf8("[[[[0]]]]"), maxDepth: 3)
    try reader.beginArray()
    #expect(try reader.nextElement())
    #expect(throws: JSONError(.tooDeep(limit: 3), at: 3)) { try reader.skipValue() }
  }

  @Test func `extreme nesting is refused without overflowing the stack`() {
    let bomb = [UInt8](repeating: UInt8(ascii: "["), count: 5_000_000)
    #expect(fault(bomb) == JSONError(.tooDeep(limit: 128), at: 128))
    #expect(fault(bomb, maxDepth: .max) == JSONError(.unexpectedEnd, at: 5_000_000))
  }

  @Test func `random bytes never crash, and accepted text is written back as JSON`() throws {
    let seed = Seed.fromEnvironment()
    var random = SeededGenerator(seed: seed)
    let alphabet = utf8("[]{}\",:\\ue0123456789-+.Etrufalsn \n") + [0xC3, 0xA9, 0xED, 0xFF, 0x00]
    for _ in 0..<Seed.iterations(default: 2_000) {
      let length = Int.random(in: 0..<24, using: &random)
      let bytes = (0..<length).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      guard fault(bytes) == nil else { continue }
      let again = try MergePatch.apply(bytes, to: utf8("null"))
      #expect(fault(again) == nil, "seed \(seed): \(bytes)")
    }
  }

  @Test func `the pull reader and validation agree about damaged documents`() {
    let seed = Seed.fromEnvironment()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Seed.iterations(default: 2_000) {
      var bytes = utf8(Self.documents[Int.random(in: 0..<3, using: &random)])
      let place = Int.random(in: 0..<bytes.count, using: &random)
      bytes[place] = UInt8.random(in: 0...255, using: &random)
      let validated = fault(bytes)
      let walked = walkFault(bytes)
      #expect(walked == validated, "seed \(seed): \(text(bytes))")
    }
  }

  /// Reads a document with the pull interface and returns its fault.
  private func walkFault(_ bytes: [UInt8]) -> JSONError? {
    var reader = JSONReader(bytes)
    do throws(JSONError) {
      try walk(&reader)
      try reader.finish()
      return nil
    } catch {
      return error
    }
  }

  private func walk(_ reader: inout JSONReader) throws(JSONError) {
    switch try reader.peekKind() {
    case .object:
      try reader.beginObject()
      while let name = try reader.nextMember() {
        _ = name.decoded(from: reader.bytes)
        try walk(&reader)
      }
    case .array:
      try reader.beginArray()
      while try reader.nextElement() { try walk(&reader) }
    case .string: _ = try reader.readString().decoded(from: reader.bytes)
    case .boolean: _ = try reader.readBool()
    case .null: try reader.readNull()
    case .number: _ = try reader.skipValue()
    }
  }
}

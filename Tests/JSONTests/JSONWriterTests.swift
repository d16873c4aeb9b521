import JSON
import TestSupport
import Testing

@Suite struct JSONWriterTests {
  @Test func `the writer inserts commas and colons`() {
    var writer = JSONWriter(appendingTo: utf8("> "))
    writer.beginObject()
    writer.name("a")
    writer.beginArray()
    writer.integer(1)
    writer.beginObject()
    writer.endObject()
    writer.beginArray()
    writer.endArray()
    writer.null()
    writer.endArray()
    writer.name("b")
    writer.boolean(true)
    writer.name("c")
    writer.raw(utf8("1e400")[...])
    writer.name("d")
    writer.integer(orNull: nil)
    writer.name("e")
    writer.string("constant" as StaticString)
    writer.endObject()
    #expect(
      text(writer.finish())
        == "> {\"a\":[1,{},[],null],\"b\":true,\"c\":1e400,\"d\":null,\"e\":\"constant\"}"
    )
  }

  @Test(
    arguments: [
      0, 9, 10, 99, 100, -1, -10, 99_999_999, 100_000_000, 1_234_567_890, 10_000_000_000_000_000,
      .max, .min,
    ]
  )
  func `integers are written like their description`(_ value: Int) {
    var writer = JSONWriter()
    writer.integer(value)
    #expect(text(writer.finish()) == String(value))
  }

  @Test func `every group of four digits is written correctly`() {
    var writer = JSONWriter()
    writer.beginArray()
    for value in 0..<10_000 {
      writer.integer(value)
      writer.integer(12_340_000 + value)
    }
    writer.endArray()
    let values = (0..<10_000).flatMap { [$0, 12_340_000 + $0] }
    #expect(text(writer.finish()) == "[" + values.map(String.init).joined(separator: ",") + "]")
  }

  @Test func `values written through a room mix with values written one by one`() {
    var writer = JSONWriter()
    writer.beginArray()
    for _ in 0..<2 {
      writer.value(roomFor: 64) { out in
        out.putObject { out in
          out.put(#","a":"#)
          out.put(-12)
          out.put(#","b":"#)
          let string = utf8("\"\u{1}")
          out.put(string: string.span)
          out.put(#","c":"#)
          out.put(orNull: nil)
          out.put(#","d":"#)
          out.putArray { out in out.put(",true") }
        }
      }
      writer.integer(1)
    }
    writer.value(roomFor: 2) { out in out.putObject { _ in } }
    writer.value(roomFor: 2) { out in out.putArray { _ in } }
    writer.beginObject()
    writer.members(of: utf8(#"{"x":1,"y":{}}"#)[...])
    writer.members(of: utf8("{}")[...])
    writer.name("z")
    writer.null()
    writer.endObject()
    writer.endArray()
    let object = #"{"a":-12,"b":"\"\u0001","c":null,"d":[true]}"#
    let rest = #"{},[],{"x":1,"y":{},"z":null}"#
    #expect(text(writer.finish()) == "[\(object),1,\(object),1,\(rest)]")
    #expect(writer.finish().isEmpty, "it begins anew")
  }

  @Test func `a byte that needs an escape is escaped at any position and length`() {
    for count in 1...20 {
      for place in 0..<count {
        for byte in [0x1F, UInt8(ascii: "\""), UInt8(ascii: "\\")] {
          var bytes = Array(repeating: UInt8(ascii: "a"), count: count)
          bytes[place] = byte
          var writer = JSONWriter()
          writer.string(bytes[...])
          let escape = byte == 0x1F ? "\\u001f" : "\\" + text([byte])
          let (before, after) = (place, count - place - 1)
          let expected = String(repeating: "a", count: before) + escape
          #expect(text(writer.finish()) == "\"\(expected)\(String(repeating: "a", count: after))\"")
        }
      }
    }
  }

  @Test func `raw values of any length are written unchanged`() {
    var writer = JSONWriter()
    writer.beginArray()
    var expected: [String] = []
    for count in 1...300 {
      let value = (0..<count).map { UInt8(33 + ($0 + count) % 90) }
      writer.raw(value[...])
      expected.append(text(value))
    }
    writer.endArray()
    #expect(text(writer.finish()) == "[" + expected.joined(separator: ",") + "]")
  }

  @Test func `the largest unsigned integer is written`() {
    var writer = JSONWriter()
    writer.integer(UInt64.max)
    #expect(text(writer.finish()) == "18446744073709551615")
  }

  @Test func `only required escapes are written`() {
    var writer = JSONWriter()
    writer.string("a/b\"\\\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{7F}é😀")
    #expect(
      text(writer.finish())
        == "\"a/b\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f\u{7F}é😀\""
    )
  }

  @Test func `random strings are read back unchanged`() throws {
    let seed = Seed.fromEnvironment()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Seed.iterations(default: 2_000) {
      let length = Int.random(in: 0..<30, using: &random)
      let scalars = (0..<length).compactMap { _ in
        Unicode.Scalar(
          UInt32.random(in: 0...(Bool.random(using: &random) ? 0x7F : 0x10FFFF), using: &random)
        )
      }
      let value = String(String.UnicodeScalarView(scalars))
      var writer = JSONWriter()
      writer.string(value)
      var reader = JSONReader(writer.finish())
      let back = try reader.readString().decoded(from: reader.bytes)
      try reader.finish()
      #expect(back == utf8(value), "seed \(seed)")
    }
  }

  @Test func `values on separate lines have no commas between them`() {
    var writer = JSONWriter()
    writer.beginArray()
    writer.integer(1)
    writer.integer(2)
    writer.endArray()
    writer.endLine()
    writer.null()
    writer.endLine()
    #expect(text(writer.finish()) == "[1,2]\nnull\n")
  }
}

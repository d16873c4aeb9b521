import JSON
import Testing

@Suite struct SyntaxTests {
  static let accepted = [
    "null", "true", "false", "0", "-0", "-1", "1.0", "1e5", "1E+5", "1e-5", "1e400", "0.0e0",
    "123456789012345678901234567890", " \t\r\n1 \t\r\n", "\"\"", "\"a\"", "[]", "{}", "[ ]",
    "{ }", "[1]", "[1,2]", "[ 1 , 2 ]", "[[],[]]", "{\"a\":1}", "{ \"a\" : 1 , \"b\" : [ ] }",
    "{\"a\":1,\"a\":2}", "{\"\":0}", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u0000\"",
    "\"\\u00e9\\u00E9\"", "\"\\ud83d\\ude00\"", "\"\\uFFFF\"", "\"é€😀\"", "\"\u{7F}\"",
    "\"\u{10FFFF}\"", "\"\u{2028}\"", "\"12345678\"", "\"1234567890123456\"", "[\"12345678\"]",
    "{\"a\":{\"b\":[{\"c\":null}]}}", "[1e1,true,\"x\"]", "[0,-0.1,2e+3]", "[{},[],\"\"]",
  ]

  @Test(arguments: accepted) func `a well-formed text is accepted`(_ json: String) {
    #expect(fault(json) == nil)
  }

  static let refused: [(String, JSONError.Reason, Int)] = [
    ("", .emptyInput, 0), ("  ", .emptyInput, 2), ("\u{FEFF}{}", .byteOrderMark, 0),
    ("1 2", .trailingBytes, 2), ("{}}", .trailingBytes, 2), ("null,", .trailingBytes, 4),
    ("nul", .unexpectedEnd, 3), ("nulL", .unexpectedByte, 3), ("True", .unexpectedByte, 0),
    ("NaN", .unexpectedByte, 0), ("'a'", .unexpectedByte, 0), ("// c", .unexpectedByte, 0),
    ("\u{A0}1", .unexpectedByte, 0), ("\u{0B}1", .unexpectedByte, 0), ("]", .unexpectedByte, 0),
    ("-", .invalidNumber, 1), ("+1", .unexpectedByte, 0), ("01", .invalidNumber, 1),
    ("-01", .invalidNumber, 2), ("1.", .invalidNumber, 2), (".5", .unexpectedByte, 0),
    ("1e", .invalidNumber, 2), ("1e+", .invalidNumber, 3), ("1.e5", .invalidNumber, 2),
    ("-a", .invalidNumber, 1), ("0x10", .trailingBytes, 1), ("1_0", .trailingBytes, 1),
    ("[", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3),
    ("[1,]", .unexpectedByte, 3), ("[,1]", .unexpectedByte, 1), ("[1 2]", .unexpectedByte, 3),
    ("[1}", .unexpectedByte, 2), ("{]", .unexpectedByte, 1), ("[1:2]", .unexpectedByte, 2),
    ("{", .unexpectedEnd, 1), ("{\"a\"", .unexpectedEnd, 4), ("{\"a\":", .unexpectedEnd, 5),
    ("{\"a\":1", .unexpectedEnd, 6), ("{\"a\":1,", .unexpectedEnd, 7),
    ("{\"a\":1,}", .unexpectedByte, 7), ("{,}", .unexpectedByte, 1), ("{a:1}", .unexpectedByte, 1),
    ("{1:1}", .unexpectedByte, 1), ("{\"a\" 1}", .unexpectedByte, 5),
    ("{\"a\",1}", .unexpectedByte, 4), ("{\"a\":}", .unexpectedByte, 5),
    ("{\"a\":1 \"b\":2}", .unexpectedByte, 7), ("\"", .unexpectedEnd, 1),
    ("\"abc", .unexpectedEnd, 4), ("\"a\nb\"", .controlByteInString, 2),
    ("\"12345678\u{1F}\"", .controlByteInString, 9), ("\"\u{0}\"", .controlByteInString, 1),
    ("\"\\", .unexpectedEnd, 2), ("\"\\x\"", .invalidEscape, 1), ("\"ab\\'\"", .invalidEscape, 3),
    ("\"\\u12\"", .invalidEscape, 1), ("\"\\u12", .unexpectedEnd, 5),
    ("\"\\u00g0\"", .invalidEscape, 1), ("\"\\U0041\"", .invalidEscape, 1),
    ("\"\\ud800\"", .loneSurrogate, 1), ("\"x\\udc00\"", .loneSurrogate, 2),
    ("\"\\ud800\\ud800\"", .loneSurrogate, 1), ("\"\\ud800\\n\"", .loneSurrogate, 1),
    ("\"\\ud800x\"", .loneSurrogate, 1), ("\"\\ud800\\u0041\"", .loneSurrogate, 1),
    ("[1,,2]", .unexpectedByte, 3), ("[1,\n", .unexpectedEnd, 4), ("[-]", .invalidNumber, 2),
    ("{\"a\":1,,}", .unexpectedByte, 7), ("--1", .invalidNumber, 1), ("-.5", .invalidNumber, 1),
    ("1.2.3", .trailingBytes, 3), ("1 000", .trailingBytes, 2), ("-Infinity", .invalidNumber, 1),
    ("1e+-1", .invalidNumber, 3), ("1eE2", .invalidNumber, 2), ("\"\t\"", .controlByteInString, 1),
    ("[\u{C}]", .unexpectedByte, 1), ("{}\u{0}", .trailingBytes, 2), ("[][]", .trailingBytes, 2),
    ("“x”", .unexpectedByte, 0), ("\u{2060}[]", .unexpectedByte, 0),
    ("{'a':1}", .unexpectedByte, 1),
    ("{}/**/", .trailingBytes, 2), ("[1;2]", .unexpectedByte, 2), ("[true", .unexpectedEnd, 5),
    ("{\"a\":\"b\"]", .unexpectedByte, 8), ("{\"a\":tru}", .unexpectedByte, 8),
    ("nulls", .trailingBytes, 4), ("\"\\ud83d\\", .unexpectedEnd, 8),
    ("\"\\ud8\"", .invalidEscape, 1), ("\"\\ué\"", .invalidEscape, 1),
  ]

  @Test(arguments: refused) func `a malformed text is refused with its offset`(
    _ json: String,
    _ reason: JSONError.Reason,
    _ offset: Int
  ) {
    #expect(fault(json) == JSONError(reason, at: offset))
  }

  static let badUTF8: [[UInt8]] = [
    [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3, 0x28], [0xE0, 0x80, 0x80],
    [0xE0, 0x9F, 0xBF], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28], [0xED, 0xA0, 0x80],
    [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
    [0xF0, 0x9F, 0x98, 0x28], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
  ]

  @Test(arguments: badUTF8) func `invalid UTF-8 is refused at any position`(
    _ bad: [UInt8]
  ) {
    for distance in 0..<20 {
      let head = [UInt8](repeating: 0x61, count: distance)
      let json = utf8("\"") + head + bad + utf8("tail tail\"")
      #expect(fault(json) == JSONError(.invalidUTF8, at: 1 + distance))
    }
  }

  @Test func `Unicode scalars of all lengths are accepted`() {
    for value in stride(from: UInt32(0x80), through: 0x10FFFF, by: 61) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      #expect(fault("\"\(Character(scalar))\"") == nil, "U+\(String(value, radix: 16))")
    }
  }

  @Test func `a control byte is found at every position of a string`() {
    for length in 0..<40 {
      for place in 0...length {
        var body = [UInt8](repeating: 0x7E, count: length)
        body.insert(0x01, at: place)
        let json = utf8("\"") + body + utf8("\"")
        #expect(fault(json) == JSONError(.controlByteInString, at: 1 + place))
      }
    }
  }
}

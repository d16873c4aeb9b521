import Testing

@testable import TestSupport

struct RawJSONTests {
  @Test(arguments: [
    "null", "true", "-0", "1.0", "1e400", "12345678901234567890", "\"é\"", "[1, 2]",
    "{ \"a\" : [ ] ,\n\"a\":{}}",
  ])
  func `a value keeps its bytes without the white space around it`(_ text: String) throws {
    let json = try RawJSON(parsing: " \n\(text)\t ")
    #expect(json.text == text)
  }

  @Test(arguments: [
    ("", 0), ("01", 2), ("1.", 2), ("[1,]", 3), ("{\"a\" 1}", 5), ("\"\u{1}\"", 1), ("nul", 0),
    ("1 2", 2), ("\"\\ud800\"", 7), ("{a:1}", 1), ("\"open", 5),
  ])
  func `invalid JSON is refused with its offset`(_ text: String, _ offset: Int) {
    let error = #expect(throws: RawJSON.ParseError.self) { try RawJSON(parsing: text) }
    #expect(error?.offset == offset)
  }

  @Test func `escapes are decoded and normalization forms are distinct`() throws {
    let strings = try #require(
      RawJSON(parsing: #"["\u00e9", "e\u0301", "\ud83d\ude00\n\/"]"#).elements
    )
    #expect(strings[0].key == "\u{E9}")
    #expect(strings[1].key == ModelKey("e\u{301}"))
    #expect(strings[0].key != strings[1].key)
    #expect(strings[2].key == "\u{1F600}\n/")
  }

  @Test func `the last of duplicate members is read`() throws {
    #expect(try RawJSON(parsing: #"{"a":1,"a":2}"#)["a"]?.integer == 2)
    #expect(try RawJSON(parsing: #"{"a":1,"a":2}"#).hasDuplicateNames)
  }

  @Test(arguments: [
    (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
    (#"{"a":"b","b":1}"#, #"{"a":null}"#, #"{"b":1}"#),
    (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
    (#"["a"]"#, #"["c"]"#, #"["c"]"#),
    (#"{"a":"f"}"#, "null", "null"),
    ("[1]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
    ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    (#"{"n":1.0}"#, #"{"m":1e400}"#, #"{"n":1.0,"m":1e400}"#),
  ])
  func `a merge patch follows RFC 7396`(
    _ target: String,
    _ patch: String,
    _ result: String
  ) throws {
    #expect(try RawJSON(parsing: target).merged(with: RawJSON(parsing: patch)).text == result)
  }

  @Test(arguments: [
    ("", nil), ("/a", "[{\"b\":1}]"), ("/a/0/b", "1"), ("/m~1n", "2"), ("/t~0", "3"),
    ("/a/1", ""), ("/none", ""),
  ])
  func `a pointer names a value`(_ pointer: String, _ expected: String?) throws {
    let json = try RawJSON(parsing: #"{"a":[{"b":1}],"m/n":2,"t~":3}"#)
    #expect(json.value(at: pointer)?.text ?? "" == expected ?? json.text)
  }

  @Test func `numbers are ordered by exact value`() {
    let ordered = [
      "-1e400", "-12345678901234567891", "-12345678901234567890", "-0.1", "0", "1e-400", "0.1",
      "0.10000000000000000001", "1", "9.9", "10", "12345678901234567890", "12345678901234567891",
      "1e400",
    ]
    let numbers = ordered.map(DecimalNumber.init)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy(<))
    #expect(DecimalNumber(text: "1.0") == DecimalNumber(text: "10e-1"))
    #expect(DecimalNumber(text: "-0") == DecimalNumber(text: "0.00e9"))
  }
}

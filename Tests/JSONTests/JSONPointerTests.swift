import JSON
import Testing

@Suite struct JSONPointerTests {
  /// The document of RFC 6901 section 5, with further members.
  static let document = """
    {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\\\j": 5,
     "k\\"l": 6, " ": 7, "m~n": 8, "dup": 1, "n": {"x": [[], {"y": 9}]}, "dup": 2, "\\u00e9": 10}
    """

  static let found: [(String, String?)] = [
    ("/foo", "[\"bar\", \"baz\"]"), ("/foo/0", "\"bar\""), ("/foo/1", "\"baz\""), ("/", "0"),
    ("/a~1b", "1"), ("/c%d", "2"), ("/e^f", "3"), ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"),
    ("/ ", "7"), ("/m~0n", "8"), ("/dup", "2"), ("/n/x/1/y", "9"), ("/n/x/0", "[]"), ("/é", "10"),
    ("/foo/2", nil), ("/foo/-", nil), ("/foo/00", nil), ("/foo/01", nil), ("/foo/ 1", nil),
    ("/foo/+1", nil), ("/foo/99999999999999999999", nil), ("/nothing", nil), ("/a/b", nil),
    ("//", nil), ("/dup/x", nil), ("/foo/", nil), ("/n/x/1/y/z", nil),
  ]

  @Test(arguments: found) func `a pointer finds its value or none`(
    _ pointer: String,
    _ expected: String?
  ) throws {
    let bytes = utf8(Self.document)
    let parsed = try #require(JSONPointer(utf8(pointer)))
    #expect(parsed.evaluate(in: bytes, at: 0..<bytes.count).map { text(bytes[$0]) } == expected)
    #expect(valueInside(bytes, parsed) == expected)
  }

  /// Returns the value that a pointer finds in a slice of a longer text.
  private func valueInside(_ bytes: [UInt8], _ pointer: JSONPointer) -> String? {
    let longer = utf8("}\"") + bytes + utf8(",]")
    let slice = longer[2..<(bytes.count + 2)]
    return pointer.evaluate(in: slice).map { text(slice[$0]) }
  }

  static let duplicates: [(String, String, String?)] = [
    (#"{"a":{"x":1},"a":{"y":2}}"#, "/a/x", nil), (#"{"a":{"x":1},"a":{"y":2}}"#, "/a/y", "2"),
    (#"{"a":{"x":1},"a":3}"#, "/a/x", nil), (#"{"a":3,"a":[{"x":[5,6]}]}"#, "/a/0/x/1", "6"),
    (#"{"a":{"x":1,"x":2},"b":{"x":3}}"#, "/a/x", "2"), (#"[[1],[2]]"#, "/1/0", "2"),
    ("7", "/a", nil), ("[]", "/0", nil),
  ]

  @Test(arguments: duplicates) func `the last of duplicate members counts at every level`(
    _ json: String,
    _ pointer: String,
    _ expected: String?
  ) throws {
    let bytes = utf8(json)
    let parsed = try #require(JSONPointer(utf8(pointer)))
    #expect(parsed.evaluate(in: bytes, at: bytes.indices).map { text(bytes[$0]) } == expected)
    #expect(valueInside(bytes, parsed) == expected)
  }

  static let single: [(String, String, String?)] = [
    (#" { "a" : { "b" : "}\"" } , "b" : [ ] } "#, "/b", "[ ]"),
    (#"{"a":1,"a":"x"}"#, "/a", "\"x\""), (#"{"\u0061":1.5e3 }"#, "/a", "1.5e3"),
    (#"{"\\":1}"#, "/\\", "1"), (#"{"\\":1}"#, "/\\\\", nil), (#"{"ab":1}"#, "/a", nil),
    (#"{"":{}}"#, "/", "{}"), ("{}", "/a", nil), (" [ 1 , [2,\"]\"] ,3 ] ", "/1", "[2,\"]\"]"),
    ("[1,2]", "/2", nil), ("[1,2]", "/x", nil), ("[ ]", "/0", nil), ("\"a\"", "/a", nil),
    (#"{"a":true,"b":null}"#, "/b", "null"),
  ]

  @Test(arguments: single) func `a pointer of one token finds its value in a slice`(
    _ json: String,
    _ pointer: String,
    _ expected: String?
  ) throws {
    let parsed = try #require(JSONPointer(utf8(pointer)))
    #expect(valueInside(utf8(json), parsed) == expected)
  }

  @Test func `the empty pointer names the whole value`() throws {
    let parsed = try #require(JSONPointer([UInt8]()))
    #expect(parsed == .whole)
    #expect(parsed.evaluate(in: utf8("x12"), at: 1..<3) == 1..<3)
    #expect(parsed.evaluate(in: utf8("x12")[1..<3]) == 1..<3)
  }

  @Test(arguments: ["a", "a/b", "/~", "/~2", "/a~", "/~1~x", "#/a"])
  func `a malformed pointer gives nil`(_ pointer: String) {
    #expect(JSONPointer(utf8(pointer)) == nil)
  }

  @Test func `an appended token is escaped and parsed back`() throws {
    var written = utf8("/a")
    JSONPointer.append(utf8("m~n/o"), to: &written)
    #expect(text(written) == "/a/m~0n~1o")
    let json = utf8("{\"a\":{\"m~n/o\":7}}")
    let parsed = try #require(JSONPointer(written))
    #expect(parsed.evaluate(in: json, at: 0..<json.count).map { text(json[$0]) } == "7")
  }

  @Test(arguments: ["/", "/a", "/a/b/0", "/~0~1/x~1y", "/é/\u{1F600}"])
  func `a pointer takes a small multiple of its text, and is written as it was read`(
    _ token: String
  ) throws {
    let written = utf8(String(repeating: token, count: 10_000))
    let pointer = try #require(JSONPointer(written))
    #expect(pointer.bytes == written)
    #expect(pointer.byteCount <= 3 * written.count + 128)
    let set = JSONPointerSet([pointer, pointer])
    #expect(set.evaluate(in: utf8(#"{"":{"a":[7]}}"#)[...]) == [nil, nil])
  }
}

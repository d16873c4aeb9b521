import JSON
import Testing

@Suite struct JSONPointerSetTests {
  static let documents = [
    "null", "7", "\"/a\"", "[]", "{}", " { } ", "[ [ ] , { } ]", #"{"a":1}"#, #"{"a":{"b":2}}"#,
    #" { "a" : { "b" : [ 1 , { "c" : "}\"" } ] } , "b" : [ 3 ] , "" : {"":4} } "#,
    #"{"a":{"b":1},"a":{"c":2}}"#, #"{"a":{"b":1,"b":2},"a":3,"b":[5,[6]]}"#,
    #"{"a":3,"a":{"b":[7,8]},"\u0062":[9]}"#, #"[{"a":1},{"a":{"b":2}},[3,[4]]]"#,
    #"{"\\":1,"a\"b":{"0":1},"0":[2]}"#,
  ]

  static let pointers = [
    "", "/", "/a", "/b", "/a/b", "/a/c", "/a/b/1", "/a/b/1/c", "/b/0", "/b/1/0", "/0", "/1/a",
    "/1/a/b", "/2/1/0", "/\\", "/a\"b/0", "/0/0", "//",
  ]

  @Test(arguments: documents) func `a set of pointers finds the same values as each pointer alone`(
    _ json: String
  ) throws {
    let all = try Self.pointers.map { try #require(JSONPointer(utf8($0))) }
    // The value is in the middle of another text.
    let bytes = utf8("}\"") + utf8(json) + utf8(",]")
    let text = bytes[2..<(bytes.count - 2)]
    let alone = all.map { $0.evaluate(in: text) }
    #expect(JSONPointerSet(all).evaluate(in: text) == alone)
    #expect(JSONPointerSet(all + all).evaluate(in: text) == alone + alone)
    for (i, first) in all.enumerated() {
      for (k, second) in all.enumerated() {
        let found = JSONPointerSet([first, second]).evaluate(in: text)
        #expect(found == [alone[i], alone[k]], "\(Self.pointers[i]) \(Self.pointers[k])")
      }
    }
  }

  @Test func `an empty set of pointers finds no values`() {
    #expect(JSONPointerSet([]).evaluate(in: utf8("{\"a\":1}")[...]).isEmpty)
  }
}

import JSON
import Testing

@Suite struct StringWalkTests {
  static let walks: [(String, [String])] = [
    ("\"a\"", ["a"]), ("7", []), ("null", []), ("{}", []), (#"{"a":"b"}"#, ["b"]),
    (#" { "a" : "b" , "c" : [ "d" , { "e" : "" } , 1 ] } "#, ["b", "d", ""]),
    (#"["\"","\\",":","a\":"]"#, [#"\""#, #"\\"#, ":", #"a\":"#]),
  ]

  @Test(arguments: walks) func `strings are returned in order, names of members are skipped`(
    _ json: String,
    _ expected: [String]
  ) {
    let bytes = utf8("\"" + json + "\"")
    var walk = StringWalk(bytes[1..<(bytes.count - 1)])
    var found: [String] = []
    while let string = walk.next() { found.append(text(string)) }
    #expect(found == expected)
  }
}

import JSON
import Testing

@Suite struct JSONReaderTests {
  @Test func `members and elements are read in order`() throws {
    var reader = JSONReader(utf8(" { \"a\" : [ 1 , 2 ] , \"b\" : { } , \"c\" : \"x\" } "))
    var names: [String] = []
    try reader.beginObject()
    while let name = try reader.nextMember() {
      names.append(text(name.decoded(from: reader.bytes)))
      switch names.count {
      case 1:
        try reader.beginArray()
        var sum = 0
        while try reader.nextElement() { sum += try reader.readInt() }
        #expect(sum == 3)
      case 2:
        try reader.beginObject()
        #expect(try reader.nextMember() == nil)
      default:
        #expect(try reader.readString() == JSONString(range: 40..<41, hasEscapes: false))
      }
    }
    try reader.finish()
    #expect(names == ["a", "b", "c"])
  }

  static let integers: [(String, Int?)] = [
    ("0", 0), ("-0", 0), ("7", 7), ("-42", -42), ("9223372036854775807", .max),
    ("-9223372036854775808", .min), ("9223372036854775808", nil), ("-9223372036854775809", nil),
    ("99999999999999999999999", nil), ("1.0", nil), ("1e2", nil), ("1E0", nil),
  ]

  @Test(arguments: integers) func `integers that fit into Int are read, other numbers are refused`(
    _ json: String,
    _ value: Int?
  ) throws {
    var reader = JSONReader(utf8(" " + json))
    if let value {
      #expect(try reader.readInt() == value)
    } else {
      #expect(throws: JSONError(.notAnInteger, at: 1)) { try reader.readInt() }
    }
  }

  @Test func `a value of another type throws wrongType with its offset`() {
    let wrong = JSONError(.wrongType, at: 2)
    var reader = JSONReader(utf8("  \"x\""))
    #expect(throws: wrong) { try reader.readInt() }
    #expect(throws: wrong) { try reader.readBool() }
    #expect(throws: wrong) { try reader.readNull() }
    #expect(throws: wrong) { try reader.beginObject() }
    #expect(throws: wrong) { try reader.beginArray() }
    #expect(!wrong.isSyntaxFault)
    #expect(JSONError(.trailingBytes, at: 0).isSyntaxFault)
  }

  static let strings: [(String, String)] = [
    ("plain", "plain"), ("", ""), ("a\\nb", "a\nb"), ("\\\"\\\\\\/", "\"\\/"),
    ("\\b\\f\\r\\t", "\u{8}\u{C}\r\t"), ("\\u0041\\u00e9\\u20AC", "Aé€"),
    ("\\ud83d\\ude00!", "😀!"), ("\\u0000", "\u{0}"),
    ("\\u07ff\\u0800\\uffff", "\u{7FF}\u{800}\u{FFFF}"),
    ("\\udbff\\udfff", "\u{10FFFF}"), ("é\\\\é", "é\\é"),
  ]

  @Test(arguments: strings) func `strings are decoded`(_ written: String, _ meant: String) throws {
    var reader = JSONReader(utf8("\"" + written + "\""))
    let string = try reader.readString()
    #expect(string.hasEscapes == written.contains("\\"))
    #expect(string.decoded(from: reader.bytes) == utf8(meant))
    #expect(string.equals(utf8(meant), in: reader.bytes))
    #expect(!string.equals(utf8(meant + "x"), in: reader.bytes))
  }

  @Test func `skipping a value returns its exact range`() throws {
    var reader = JSONReader(utf8("[ {\"a\" : [ ]} , 1.50 ]"))
    try reader.beginArray()
    #expect(try reader.nextElement())
    #expect(try reader.skipValue() == 2..<13)
    #expect(try reader.nextElement())
    #expect(try reader.skipValue() == 16..<20)
    #expect(try reader.nextElement() == false)
    try reader.finish()
  }

  @Test func `a reader of a range does not read beyond it`() throws {
    let bytes = utf8("12345")
    var reader = JSONReader(bytes, in: 1..<3)
    #expect(try reader.readInt() == 23)
    try reader.finish()
    var cut = JSONReader(utf8("\"abc\""), in: 0..<4)
    #expect(throws: JSONError(.unexpectedEnd, at: 4)) { try cut.readString() }
  }

  @Test func `known names give their position, other names give nil`() throws {
    let names = MemberNames(["key", "parent", "nestedExpansion"])
    let table: [(String, Int?)] = [
      ("key", 0), ("parent", 1), ("nestedExpansion", 2), ("k\\u0065y", 0), ("Key", nil),
      ("ke", nil), ("keyy", nil), ("", nil), ("key\\u0000", nil), ("nestedExpansionX", nil),
      ("nestedExpansionXX", nil),
    ]
    for (written, position) in table {
      var reader = JSONReader(utf8("\"" + written + "\""))
      let name = try reader.readString()
      #expect(names.position(of: name, in: reader.bytes) == position, "\(written)")
    }
  }

  @Test func `inserting a member twice returns false`() {
    var seen = SeenMembers()
    let fresh = [0, 63, 0, 63, 1].map { seen.insert($0) }
    #expect(fresh == [true, true, false, false, true])
    #expect(seen.contains(63))
    #expect(!seen.contains(2))
  }

  @Test func `names of any length are recognized, also with a common prefix`() throws {
    let names = MemberNames(["filterToggledKeys", "a", "filterToggledKeyz", "sixteen--letters"])
    let body = utf8(
      #"{"filterToggledKeyz":1,"a":1,"filterToggledKeys":1,"filterToggledKey":1,"#
        + #""sixteen--letters":1,"filterToggled\u004beys":1,"filterToggledKeysX":1}"#
    )
    var reader = JSONReader(body)
    var found: [Int?] = []
    try reader.beginObject()
    while let name = try reader.nextMember() {
      found.append(names.position(of: name, in: body))
      _ = try reader.skipValue()
    }
    #expect(found == [2, 1, 0, nil, 3, 0, nil])
  }
}

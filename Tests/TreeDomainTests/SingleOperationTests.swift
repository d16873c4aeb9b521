import Testing
import TreeDomain

@Suite struct SingleOperationTests {
  static let accepted: [(SingleOperation, String, String)] = [
    (.put, "", "put 0:k=null:leaf in absent default"),
    (.put, "{}", "put 0:k=null:leaf in absent default"),
    (.put, #"{"object":[1],"parent":null}"#, "put 0:k=[1]:leaf in root default"),
    (
      .put, #"{"parent":"p","children":[{"key":"c"}],"first":true}"#,
      "put 0:k=null:loaded 1:c=null:leaf in p first with children"
    ),
    (.put, #"{"children":null}"#, "put 0:k=null:leaf in absent default with children"),
    (.patch, #" {"op":null} "#, #"update k + {"op":null}"#), (.patch, "7", "update k + 7"),
    (.remove, "", "remove k"), (.move, "", "move k in - default"),
    (.move, #"{"parent":"p","index":2}"#, "move k in p index 2"),
    (.expand, "", "expand k count(1)"), (.expand, #"{"levels":"all"}"#, "expand k all"),
    (.collapse, "{}", "collapse k count(1)"), (.toggle, #"{"levels":3}"#, "toggle k count(3)"),
    (.reveal, "{}", "reveal k"), (.reveal, "", "reveal k"),
  ]

  @Test(arguments: accepted) func `a request of a single operation is read`(
    _ single: SingleOperation,
    _ body: String,
    _ expected: String
  ) throws {
    let batch = try Batch.decode(single, key: utf8("k"), body: utf8(body))
    #expect(notation(batch) == [expected])
  }

  @Test func `expandAll and collapseAll need no key`() throws {
    #expect(notation(try Batch.decode(.expandAll, key: nil)) == ["expandAll"])
    #expect(notation(try Batch.decode(.collapseAll, key: nil, body: utf8("{}"))) == ["collapseAll"])
  }

  static let refused: [(SingleOperation, String, ServiceErrorCode, String?)] = [
    (.put, #"{"key":"k"}"#, .invalidRequest, "/key"),
    (.put, #"{"op":"put"}"#, .unknownOperation, nil),
    (.put, #"{"op":"insert"}"#, .invalidRequest, "/op"), (.put, "[]", .invalidRequest, ""),
    (.put, #"{"levels":1}"#, .invalidRequest, "/levels"),
    (.put, #"{"children":[{}]}"#, .invalidRequest, "/children/0"),
    (.put, "{} {}", .malformedJSON, nil), (.put, #"{"x":1,}"#, .malformedJSON, nil),
    (.patch, "", .malformedJSON, nil), (.patch, "{", .malformedJSON, nil),
    (.remove, #"{"key":"k"}"#, .invalidRequest, "/key"),
    (.remove, #"{"object":1}"#, .invalidRequest, "/object"),
    (.move, #"{"keys":["a"]}"#, .invalidRequest, "/keys"),
    (.move, #"{"object":1}"#, .invalidRequest, "/object"),
    (.expand, #"{"levels":0}"#, .invalidRequest, "/levels"),
    (.reveal, #"{"levels":1}"#, .invalidRequest, "/levels"),
  ]

  @Test(arguments: refused) func `an invalid body is refused`(
    _ single: SingleOperation,
    _ body: String,
    _ code: ServiceErrorCode,
    _ pointer: String?
  ) throws {
    let error = try #require(
      refusal { () throws(ServiceError) in
        try Batch.decode(single, key: utf8("k"), body: utf8(body))
      }
    )
    #expect(error.code == code)
    #expect(error.pointer == pointer)
    #expect(error.operation == nil)
  }

  @Test(arguments: [[], [UInt8](repeating: 0x61, count: 513), [0xFF], [0xED, 0xA0, 0x80]])
  func `an invalid key is refused`(_ key: [UInt8]) {
    let error = refusal { () throws(ServiceError) in try Batch.decode(.remove, key: key) }
    #expect(error?.code == .invalidRequest)
  }
}

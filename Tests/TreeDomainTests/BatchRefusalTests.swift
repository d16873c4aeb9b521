import Testing
import TreeDomain

@Suite struct BatchRefusalTests {
  /// Invalid operations, each with the code of its error and the pointer after `/operations/1`.
  static let refused: [(String, ServiceErrorCode, String)] = [
    (#"{"op":"insert"}"#, .invalidRequest, ""), (#"{"key":"a"}"#, .invalidRequest, ""),
    ("1", .invalidRequest, ""), (#"{"op":5,"key":"a"}"#, .invalidRequest, "/op"),
    (#"{"op":"nope"}"#, .unknownOperation, "/op"), (#"{"op":"put"}"#, .unknownOperation, "/op"),
    (#"{"by":[],"op":"sorted"}"#, .unknownOperation, "/op"),
    (#"{"op":"insert","kye":"a"}"#, .invalidRequest, "/kye"),
    (#"{"op":"insert","a/b~":"a"}"#, .invalidRequest, "/a~1b~0"),
    (#"{"op":"insert","key":"a","key":"b"}"#, .invalidRequest, "/key"),
    (#"{"op":"insert","key":"a","k\u0065y":"b"}"#, .invalidRequest, "/key"),
    (#"{"op":"insert","key":""}"#, .invalidRequest, "/key"),
    (#"{"op":"insert","key":null}"#, .invalidRequest, "/key"),
    (#"{"op":"insert","key":7}"#, .invalidRequest, "/key"),
    (#"{"op":"insert","key":"a","parent":1}"#, .invalidRequest, "/parent"),
    (#"{"op":"insert","key":"a","parent":""}"#, .invalidRequest, "/parent"),
    (#"{"op":"insert","key":"a","keys":["b"]}"#, .invalidRequest, "/keys"),
    (#"{"op":"insert","key":"a","levels":1}"#, .invalidRequest, "/levels"),
    (#"{"op":"insert","key":"a","merge":{}}"#, .invalidRequest, "/merge"),
    (#"{"op":"insert","key":"a","index":-1}"#, .invalidRequest, "/index"),
    (#"{"op":"insert","key":"a","index":1.0}"#, .invalidRequest, "/index"),
    (#"{"op":"insert","key":"a","index":"1"}"#, .invalidRequest, "/index"),
    (#"{"op":"insert","key":"a","index":9223372036854775808}"#, .invalidRequest, "/index"),
    (#"{"op":"insert","key":"a","first":false}"#, .invalidRequest, "/first"),
    (#"{"op":"insert","key":"a","first":1}"#, .invalidRequest, "/first"),
    (#"{"op":"insert","key":"a","index":0,"first":true}"#, .invalidRequest, "/first"),
    (#"{"op":"move","key":"a","before":"b","after":"c"}"#, .invalidRequest, "/after"),
    (#"{"op":"insert","key":"a","sort":{}}"#, .invalidRequest, "/sort"),
    (#"{"op":"insert","key":"a","sort":[1]}"#, .invalidRequest, "/sort/0"),
    (#"{"op":"insert","key":"a","sort":[{}]}"#, .invalidRequest, "/sort/0"),
    (#"{"op":"insert","key":"a","sort":[{"by":"t"}]}"#, .invalidRequest, "/sort/0/by"),
    (##"{"op":"insert","key":"a","sort":[{"by":"#Key"}]}"##, .invalidRequest, "/sort/0/by"),
    (#"{"op":"insert","key":"a","sort":[{"by":"/~"}]}"#, .invalidRequest, "/sort/0/by"),
    (
      #"{"op":"insert","key":"a","sort":[{"by":""},{"by":"","compare":"x"}]}"#, .invalidRequest,
      "/sort/1/compare"
    ),
    (
      #"{"op":"move","key":"a","sort":[{"by":"","direction":"up"}]}"#, .invalidRequest,
      "/sort/0/direction"
    ),
    (#"{"op":"insert","key":"a","children":"loading"}"#, .invalidRequest, "/children"),
    (#"{"op":"insert","key":"a","children":{}}"#, .invalidRequest, "/children"),
    (#"{"op":"insert","key":"a","children":[1]}"#, .invalidRequest, "/children/0"),
    (#"{"op":"insert","key":"a","children":[{"key":"b"},{}]}"#, .invalidRequest, "/children/1"),
    (#"{"op":"insert","key":"a","children":[{"kye":"b"}]}"#, .invalidRequest, "/children/0/kye"),
    (
      #"{"op":"insert","key":"a","children":[{"key":"b"},"#
        + #"{"key":"c","children":[{"key":"d","op":1}]}]}"#,
      .invalidRequest, "/children/1/children/0/op"
    ),
    (
      #"{"op":"insert","key":"a","children":[{"key":"b","children":7}]}"#, .invalidRequest,
      "/children/0/children"
    ),
    (
      #"{"op":"insert","key":"a","children":[{"key":"b","children":[],"children":[]}]}"#,
      .invalidRequest, "/children/0/children"
    ),
    (#"{"op":"update","key":"a"}"#, .invalidRequest, ""),
    (#"{"op":"update","object":1}"#, .invalidRequest, ""),
    (#"{"op":"update","key":"a","object":1,"merge":1}"#, .invalidRequest, ""),
    (#"{"op":"update","key":"a","object":1,"parent":"b"}"#, .invalidRequest, "/parent"),
    (#"{"op":"remove"}"#, .invalidRequest, ""),
    (#"{"op":"remove","key":"a","children":[{"key":"b"}]}"#, .invalidRequest, "/children"),
    (#"{"op":"move"}"#, .invalidRequest, ""),
    (#"{"op":"move","key":"a","keys":["b"]}"#, .invalidRequest, ""),
    (#"{"op":"move","keys":[]}"#, .invalidRequest, "/keys"),
    (#"{"op":"move","keys":["a","b","\u0061"]}"#, .invalidRequest, "/keys/2"),
    (#"{"op":"move","keys":"a"}"#, .invalidRequest, "/keys"),
    (#"{"op":"expand"}"#, .invalidRequest, ""),
    (#"{"op":"expand","key":"a","levels":0}"#, .invalidRequest, "/levels"),
    (#"{"op":"expand","key":"a","levels":"some"}"#, .invalidRequest, "/levels"),
    (#"{"op":"expand","key":"a","levels":null}"#, .invalidRequest, "/levels"),
    (#"{"op":"expandAll","key":"a"}"#, .invalidRequest, "/key"),
    (#"{"op":"reveal"}"#, .invalidRequest, ""),
    (#"{"op":"reveal","key":"a","select":1}"#, .invalidRequest, "/select"),
  ]

  @Test(arguments: refused) func `an invalid operation is refused with a pointer`(
    _ json: String,
    _ code: ServiceErrorCode,
    _ pointer: String
  ) throws {
    let error = try #require(
      refusal(ofBatch: "{\"operations\":[{\"op\":\"expandAll\"},\(json),{\"op\":\"expandAll\"}]}")
    )
    #expect(error.code == code)
    #expect(error.pointer == "/operations/1" + pointer)
    #expect(error.operation == 1)
    #expect(error.byteOffset == nil)
    #expect(error.detail.hasSuffix("."))
  }

  static let malformed: [(String, Int)] = [
    ("", 0), ("{\"operations\":[}", 15), ("{\"operations\":[]}x", 17), ("\u{FEFF}{}", 0),
    (#"{"operations":[{"op":"nope"},]}"#, 29), (#"{"oops":1,"operations":[}"#, 24),
    (#"{"operations":[{"op":"insert","key":"\ud800"}]}"#, 37),
    (#"{"operations":[{"op":"insert","key":"a","object":{"x":01}}]}"#, 55),
    (#"{"operations":[{"op":"insert","key":"a","object":{"x":1,}}]}"#, 56),
    (#"{"operations":[{,"key":"a","op":"insert"}]}"#, 16),
    (#"{"operations":[{,"children":[{"key":"a"}],"op":"setChildren"}]}"#, 16),
    (#"{"operations":[{,"keys":["a"],"op":"select"}]}"#, 16),
    (#"{"operations":[{"op":"setChildren","children":[{,"object":1,"key":"a"}]}]}"#, 48),
  ]

  @Test(arguments: malformed)
  func `a body that is not JSON is malformed, whatever other faults it has`(
    _ json: String,
    _ offset: Int
  ) throws {
    let error = try #require(refusal(ofBatch: json))
    #expect(error.code == .malformedJSON)
    #expect(error.byteOffset == offset)
    #expect(error.pointer == nil)
  }

  static let bodies: [(String, String)] = [
    ("{}", ""), ("[]", ""), ("null", ""), (#"{"operations":{}}"#, "/operations"),
    (#"{"operations":[],"x":1}"#, "/x"), (#"{"operations":[],"operations":[]}"#, "/operations"),
  ]

  @Test(arguments: bodies) func `a body that is not a batch is refused`(
    _ json: String,
    _ pointer: String
  ) throws {
    let error = try #require(refusal(ofBatch: json))
    #expect(error.code == .invalidRequest)
    #expect(error.pointer == pointer)
    #expect(error.operation == nil)
  }

  @Test(arguments: ["0", "-1", "1.5", "9223372036854775808", "1e30"])
  func `the error for a number out of range names the range`(number: String) throws {
    let body = #"{"operations":[{"op":"expand","key":"a","levels":\#(number)}]}"#
    let error = try #require(refusal(ofBatch: body))
    #expect(error.detail == "This must be a whole number from 1 to 2^63 - 1, or \"all\".")
  }

  @Test func `every limit is enforced and named in the error`() throws {
    let insert = { (object: String) in
      #"{"operations":[{"op":"insert","key":"abc","object":\#(object),"children":[{"key":"d"}]}]}"#
    }
    var limits = DecodingLimits()
    limits.maxKeyBytes = 3
    limits.maxObjectBytes = 5
    limits.maxNodes = 2
    limits.maxOperations = 1
    limits.maxJSONDepth = 5
    #expect(refusal(ofBatch: insert("\"abc\""), limits: limits) == nil)
    let object = try #require(refusal(ofBatch: insert("\"abcd\""), limits: limits))
    #expect(object.code == .contentTooLarge && object.limit == 5)
    #expect(object.pointer == "/operations/0/object")
    let deep = try #require(refusal(ofBatch: insert("[[[[[[1]]]]]]"), limits: limits))
    #expect(deep.code == .malformedJSON && deep.limit == 5 && deep.byteOffset == 56)
    limits.maxNodes = 1
    let nodes = try #require(refusal(ofBatch: insert("1"), limits: limits))
    #expect(nodes.code == .contentTooLarge && nodes.limit == 1)
    limits.maxKeyBytes = 2
    let key = try #require(refusal(ofBatch: insert("1"), limits: limits))
    #expect(key.code == .invalidRequest && key.pointer == "/operations/0/key")
    let two = #"{"operations":[{"op":"expandAll"},{"op":"expandAll"}]}"#
    let operations = try #require(refusal(ofBatch: two, limits: limits))
    #expect(operations.code == .contentTooLarge && operations.limit == 1)
  }

  @Test func `the default limits are those of the contract`() {
    let key = String(repeating: "é", count: 256)
    #expect(refusal(ofBatch: #"{"operations":[{"op":"remove","key":"\#(key)"}]}"#) == nil)
    #expect(refusal(ofBatch: #"{"operations":[{"op":"remove","key":"\#(key)x"}]}"#) != nil)
    let nested = { (depth: Int) in
      #"{"operations":[{"op":"insert","key":"a","children":["#
        + String(repeating: #"{"key":"a","children":["#, count: depth)
        + String(repeating: "]}", count: depth) + "]}]}"
    }
    #expect(refusal(ofBatch: nested(254)) == nil)
    #expect(refusal(ofBatch: nested(255))?.code == .malformedJSON)
  }
}

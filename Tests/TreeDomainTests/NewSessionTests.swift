import JSON
import Testing
import TreeDomain
import TreeEngine

@Suite struct NewSessionTests {
  @Test(arguments: ["", "{}", " { } "]) func `an empty body means the defaults`(
    _ body: String
  ) throws {
    let session = try NewSession.decode(body: utf8(body))
    #expect(session.options == SessionOptions())
    #expect(session.options.expansion == .all)
    #expect(session.options.nestedExpansion == .remember)
    #expect(session.options.sort.isEmpty)
    #expect(session.expandedKeys.isEmpty && session.nodes.isEmpty)
  }

  static let expansions: [(String, ExpansionRule)] = [
    ("\"all\"", .all), ("\"none\"", .none), ("0", .none), ("3", .levels(3)),
    ("2147483647", .levels(2_147_483_647)), ("9223372036854775807", .levels(2_147_483_647)),
  ]

  @Test(arguments: expansions) func `an expansion is a word or a number`(
    _ json: String,
    _ rule: ExpansionRule
  ) throws {
    let session = try NewSession.decode(body: utf8("{\"expansion\":\(json)}"))
    #expect(session.options.expansion == rule)
  }

  @Test func `every member is read`() throws {
    let session = try NewSession.decode(
      body: utf8(
        #"{"expansion":"none","expandedKeys":["a","\u0062","a"],"nestedExpansion":"forget","#
          + #""sort":[{"by":"/t","direction":"descending"}],"#
          + #""nodes":[{"key":"a","children":[{"key":"b","object":1}]},"#
          + #"{"key":"c","children":"unloaded"}]}"#
      )
    )
    #expect(session.options.nestedExpansion == .forget)
    #expect(session.expandedKeys.map { text(session[$0]) } == ["a", "b", "a"])
    let pointer = try #require(JSONPointer(utf8("/t")))
    #expect(session.options.sort.descriptors == [SortDescriptor(by: .value(pointer), .descending)])
    #expect(session.nodes.map { text(session.bytes[$0.key]) } == ["a", "b", "c"])
    #expect(session.nodes.map { text(session.bytes[$0.object]) } == ["null", "1", "null"])
    #expect(session.nodes.map(\.depth) == [0, 1, 0])
    #expect(session.nodes.map(\.childState) == [.loaded, .leaf, .unloaded])
  }

  static let refused: [(String, ServiceErrorCode, String?)] = [
    ("[]", .invalidRequest, ""), ("{\"tree\":\"a b\"}", .invalidRequest, "/tree"),
    ("{\"expansion\":-1}", .invalidRequest, "/expansion"),
    ("{\"expansion\":\"some\"}", .invalidRequest, "/expansion"),
    ("{\"expansion\":1.5}", .invalidRequest, "/expansion"),
    ("{\"expansion\":null}", .invalidRequest, "/expansion"),
    ("{\"expandedKeys\":\"a\"}", .invalidRequest, "/expandedKeys"),
    ("{\"expandedKeys\":[\"a\",1]}", .invalidRequest, "/expandedKeys/1"),
    ("{\"nestedExpansion\":\"keep\"}", .invalidRequest, "/nestedExpansion"),
    ("{\"sort\":\"/t\"}", .invalidRequest, "/sort"),
    (
      "{\"nodes\":[{\"key\":\"a\",\"children\":[{\"key\":\"\"}]}]}", .invalidRequest,
      "/nodes/0/children/0/key"
    ),
    ("{\"nodes\":null}", .invalidRequest, "/nodes"),
    ("{\"sort\":[],\"sort\":[]}", .invalidRequest, "/sort"),
    ("{\"x\":1} {", .malformedJSON, nil), (" ", .malformedJSON, nil),
  ]

  @Test(arguments: refused) func `an invalid session is refused with a pointer`(
    _ body: String,
    _ code: ServiceErrorCode,
    _ pointer: String?
  ) throws {
    let error = try #require(
      refusal { () throws(ServiceError) in try NewSession.decode(body: utf8(body)) }
    )
    #expect(error.code == code)
    #expect(error.pointer == pointer)
  }
}

import TestSupport
import Testing
import TreeDomain
import TreeEngine

@Suite struct SessionOptionTests {
  static let filter = #"{"by":"/t","contains":"x","caseSensitive":false}"#

  static let options: [(String, String)] = [
    ("expansion", "2"), ("order", "\"breadthFirst\""), ("filter", filter),
    ("selection", "\"single\""), ("nestedExpansion", "\"forget\""), ("accordion", "true"),
    ("idleTimeoutSeconds", "0"),
    ("viewSort", ##"[{"by":"#key","direction":"descending","compare":"natural"}]"##),
  ]

  private func described(_ options: SessionOptions) throws -> RawJSON {
    var state = SessionState()
    state.options = options
    return try RawJSON(parsing: written(state.write))
  }

  @Test(arguments: options) func `an option is read in every request that accepts it`(
    _ name: String,
    _ value: String
  ) throws {
    let body = utf8("{\"\(name)\":\(value)}")
    let patched = try SessionPatch.decode(body: body).applied(to: SessionOptions())
    let made = try NewSession.decode(body: body).options
    let state = try NewSession.decode(body: utf8("{\"state\":\(text(body))}"))
    #expect(patched == made && made == state.options && state.state?.options == made)
    let described = try described(patched)
    let defaults = try self.described(SessionOptions())
    for member in defaults.memberNames {
      #expect(described[member]?.text == (member == name ? value : defaults[member]?.text))
    }
  }

  @Test func `access is accepted for a new session only`() throws {
    func access(_ body: String) throws -> SessionAccess {
      try NewSession.decode(body: utf8(body)).options.access
    }
    #expect(try access("{}") == .write)
    #expect(try access(#"{"access":"write"}"#) == .write)
    #expect(try access(#"{"access":"view"}"#) == .view)
    #expect(try access(#"{"access":"view","state":{"accordion":true},"expansion":1}"#) == .view)
    for value in ["\"read\"", "\"VIEW\"", "null", "true", "[]"] {
      let body = utf8("{\"access\":\(value)}")
      let error = refusal { () throws(ServiceError) in try NewSession.decode(body: body) }
      #expect(error?.code == .invalidRequest && error?.pointer == "/access")
    }
    let body = #"{"access":"view"}"#
    let patch = refusal { () throws(ServiceError) in try SessionPatch.decode(body: utf8(body)) }
    #expect(patch?.code == .invalidRequest && patch?.pointer == "/access")
    let state = refusal { () throws(ServiceError) in
      try NewSession.decode(body: utf8("{\"state\":\(body)}"))
    }
    #expect(state?.code == .invalidRequest && state?.pointer == "/state/access")
    var viewed = SessionState()
    viewed.options.access = .view
    #expect(!written(viewed.write).contains("access"))
    #expect(SessionPatch().applied(to: viewed.options).access == .view)
  }

  @Test func `the memory of options grows with their pointers, which are limited`() throws {
    let pointer = String(repeating: "/a", count: 512)
    let test = #"{"by":"\#(pointer)","equals":1}"#
    let filter = #"{"all":[\#(Array(repeating: test, count: 100).joined(separator: ","))]}"#
    let body = #"{"filter":\#(filter),"viewSort":[{"by":"\#(pointer)"}]}"#
    let options = try NewSession.decode(body: utf8(body)).options
    #expect(options.byteCount > 2 * body.utf8.count)
    #expect(options.byteCount < 3 * body.utf8.count)
  }

  @Test func `a patch changes only the options it names`() throws {
    let old = try NewSession.decode(
      body: utf8("{\"expansion\":3,\"filter\":\(Self.filter),\"accordion\":true}")
    ).options
    #expect(try SessionPatch.decode(body: utf8("{}")).applied(to: old) == old)
    let cleared = try SessionPatch.decode(body: utf8("{\"filter\":null}"))
    #expect(cleared.filter == .clear)
    var expected = old
    expected.filter = nil
    #expect(cleared.applied(to: old) == expected)
    let sorted = try SessionPatch.decode(body: utf8("{\"sort\":[]}"))
    #expect(sorted.sort?.isEmpty == true)
  }

  private static let longPointer = String(repeating: "/", count: 1_025)

  static let refused: [(String, String)] = [
    (#"{"filter":{"by":"\#(longPointer)","equals":1}}"#, "/filter/by"),
    (#"{"viewSort":[{"by":"\#(longPointer)"}]}"#, "/viewSort/0/by"),
    (#"{"order":"depth"}"#, "/order"), (#"{"order":null}"#, "/order"),
    (#"{"selection":true}"#, "/selection"), (#"{"accordion":"no"}"#, "/accordion"),
    (#"{"idleTimeoutSeconds":-1}"#, "/idleTimeoutSeconds"),
    (#"{"idleTimeoutSeconds":31536001}"#, "/idleTimeoutSeconds"),
    (#"{"idleTimeoutSeconds":1.5}"#, "/idleTimeoutSeconds"), (#"{"filter":[]}"#, "/filter"),
    (#"{"x":1}"#, "/x"), (#"{"order":"depthFirst","order":"depthFirst"}"#, "/order"),
  ]

  @Test(arguments: refused) func `an invalid option is refused with a pointer`(
    _ body: String,
    _ pointer: String
  ) throws {
    let patch = refusal { () throws(ServiceError) in try SessionPatch.decode(body: utf8(body)) }
    let made = refusal { () throws(ServiceError) in try NewSession.decode(body: utf8(body)) }
    let state = refusal { () throws(ServiceError) in
      try NewSession.decode(body: utf8("{\"state\":\(body)}"))
    }
    #expect(patch?.code == .invalidRequest && patch?.pointer == pointer)
    #expect(made?.code == .invalidRequest && made?.pointer == pointer)
    #expect(state?.code == .invalidRequest && state?.pointer == "/state" + pointer)
  }

  @Test(arguments: ["", "[]", "{\"tree\":\"t\"}", "{\"state\":{}}"])
  func `a patch must be an object of options`(_ body: String) {
    let error = refusal { () throws(ServiceError) in try SessionPatch.decode(body: utf8(body)) }
    #expect(error?.code == (body.isEmpty ? .malformedJSON : .invalidRequest))
  }

  @Test func `a state is written as it was read`() throws {
    let text =
      #"{"expansion":"none","toggledKeys":["a","b\""],"selectedKeys":["c"],"#
      + #""collapsedSections":["","s"],"filterExpansion":1,"filterToggledKeys":["d"],"#
      + #""filterCollapsedSections":["t"],"#
      + #""order":"breadthFirst","viewSort":null,"filter":\#(Self.filter),"selection":"single","#
      + #""nestedExpansion":"forget","accordion":true,"idleTimeoutSeconds":60}"#
    let session = try NewSession.decode(body: utf8("{\"state\":\(text)}"))
    let state = try #require(session.state)
    #expect(written(state.write) == text)
    #expect(session.options == state.options)
    #expect(state.toggledKeys.map { TreeDomainTests.text(state[$0]) } == ["a", "b\""])
  }

  @Test func `an empty state equals that of a new session`() throws {
    let state = try NewSession.decode(body: utf8("{\"state\":{}}")).state
    #expect(
      try written(#require(state).write)
        == #"{"expansion":"all","toggledKeys":[],"selectedKeys":[],"collapsedSections":[],"#
        + #""order":"depthFirst","viewSort":null,"filter":null,"selection":"multiple","#
        + #""nestedExpansion":"remember","accordion":false,"idleTimeoutSeconds":604800}"#
    )
  }

  @Test func `options outside of a state win, before or after it`() throws {
    let state =
      #""state":{"expansion":1,"order":"breadthFirst","filter":\#(Self.filter),"#
      + #""filterExpansion":"none","filterToggledKeys":["a"],"#
      + #""filterCollapsedSections":[""]}"#
    let beside = #""expansion":2,"order":"depthFirst""#
    for body in ["{\(state),\(beside)}", "{\(beside),\(state)}"] {
      let session = try NewSession.decode(body: utf8(body))
      #expect(session.options.expansion == .levels(2))
      #expect(session.options.order == .depthFirst)
      #expect(session.options.filter != nil)
      #expect(session.state?.options == session.options)
      #expect(session.state?.filterExpansion == ExpansionRule.none)
      #expect(session.state?.filterToggledKeys.count == 1)
    }
    let cleared = try NewSession.decode(body: utf8("{\"filter\":null,\(state)}"))
    #expect(cleared.options.filter == nil)
    #expect(cleared.state?.filterExpansion == nil)
    #expect(cleared.state?.filterToggledKeys.isEmpty == true)
    #expect(cleared.state?.filterCollapsedSections.isEmpty == true)
  }

  @Test func `a session on a shared tree refuses members of private trees`() throws {
    let session = try NewSession.decode(body: utf8(#"{"tree":"My.tree_~-9"}"#))
    #expect(session.tree.map { text($0.bytes) } == "My.tree_~-9")
    for member in ["sort", "sections", "nodes"] {
      for body in [#"{"tree":"t","\#(member)":[]}"#, #"{"\#(member)":[],"tree":"t"}"#] {
        let error = refusal { () throws(ServiceError) in try NewSession.decode(body: utf8(body)) }
        #expect(error?.code == .invalidRequest && error?.pointer == "/\(member)")
      }
    }
  }

  @Test func `sections and the sections of roots are read`() throws {
    let body = utf8(
      #"{"sections":["A","\u0042"],"sort":[{"by":"/t"}],"nodes":[{"key":"a","section":"B","#
        + #""children":[{"key":"b","children":"unloaded","childCount":3}]},{"key":"c"}]}"#
    )
    let session = try NewSession.decode(body: body)
    let tree = try NewTree.decode(body: body)
    #expect(session.sections.map { text(session[$0]) } == ["A", "B"])
    #expect(session.rootSections.mapValues { text(session[$0]) } == [0: "B"])
    #expect(session.nodes.map(\.hint) == [nil, 3, nil])
    #expect(tree.sections == session.sections && tree.rootSections == session.rootSections)
    #expect(tree.nodes == session.nodes)
    #expect(tree.bytes == session.bytes && tree.sort == session.options.sort)
    #expect(tree.tree == nil && !tree.sort.isEmpty)
    #expect(text(tree[tree.sections[1]]) == "B")
    var empty = NewTree()
    empty.bodyCount = 0
    #expect(try NewTree.decode(body: []) == empty)
    #expect(try NewTree.decode(body: utf8(#"{"tree":"x"}"#)).tree == TreeID(validating: utf8("x")))
  }

  static let refusedTrees: [(String, ServiceErrorCode, String?)] = [
    (#"{"tree":""}"#, .invalidRequest, "/tree"), (#"{"tree":"a/b"}"#, .invalidRequest, "/tree"),
    (#"{"tree":null}"#, .invalidRequest, "/tree"),
    (#"{"sections":"A"}"#, .invalidRequest, "/sections"),
    (#"{"sections":["A",""]}"#, .invalidRequest, "/sections/1"),
    (#"{"sections":["A","B","\u0041"]}"#, .duplicateKey, "/sections/2"),
    (
      #"{"nodes":[{"key":"a","children":[{"key":"b","section":"A"}]}]}"#, .invalidRequest,
      "/nodes/0/children/0/section"
    ),
    (#"{"nodes":[{"key":"a","childCount":1}]}"#, .invalidRequest, "/nodes/0/childCount"),
    (#"{"expansion":1}"#, .invalidRequest, "/expansion"), ("{", .malformedJSON, nil),
  ]

  @Test(arguments: refusedTrees) func `an invalid tree is refused with a pointer`(
    _ body: String,
    _ code: ServiceErrorCode,
    _ pointer: String?
  ) {
    let error = refusal { () throws(ServiceError) in try NewTree.decode(body: utf8(body)) }
    #expect(error?.code == code)
    #expect(error?.pointer == pointer)
  }

  @Test func `the id of a tree has at most 128 bytes of unreserved characters`() {
    #expect(TreeID(validating: [UInt8](repeating: 0x61, count: 128)) != nil)
    #expect(TreeID(validating: [UInt8](repeating: 0x61, count: 129)) == nil)
    let allowed = (UInt8.min...UInt8.max).filter { TreeID(validating: [$0, $0, $0]) != nil }
    #expect(
      text(allowed) == "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~"
    )
  }

  @Test(arguments: [(".", false), ("..", false), ("...", true), (".a", true), ("a.", true)])
  func `the id of a tree is not a dot segment`(id: String, isOne: Bool) {
    #expect((TreeID(validating: utf8(id)) != nil) == isOne)
  }

  @Test(arguments: ["null", "[]"]) func `no order of a view is null`(_ written: String) throws {
    let patch = try SessionPatch.decode(body: utf8("{\"viewSort\":\(written)}"))
    var options = SessionOptions()
    options.viewSort = SortOrder([SortDescriptor(by: .key)])
    #expect(patch.applied(to: options) == SessionOptions())
    #expect(patch.setsRows)
  }
}

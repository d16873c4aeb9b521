import HTTP
import TestSupport
import Testing
import TreeAPI
import TreeDomain
import TreeSessions

/// Calls every route with a chain as deep as the limit: no code recurses over the depth.
struct DepthTests {
  /// The depth of the deepest node, and the limit. It is the default limit with `EXHAUSTIVE`, else
  /// a depth that still overflows a stack.
  private static let deepest = Seed.isExhaustive ? SessionLimits().maxDepth : 20_000

  @Test func `every route serves a chain as deep as the limit`() throws {
    var decoding = DecodingLimits()
    decoding.maxJSONDepth = 3 * Self.deepest
    var limits = SessionLimits()
    limits.maxDepth = Self.deepest
    limits.maxJSONDepth = decoding.maxJSONDepth
    let api = TreeAPI(service: SessionStore(limits: limits), limits: decoding)
    var bounds = Limits()
    bounds.maxBodyBytes = 64 << 20
    try withServer(api, limits: bounds) { port in
      let access = SocketAccess(port: port)
      var session = "none"
      var served: Set<String> = []
      for depthCase in Self.cases {
        let names = [
          ("tree", "deep"), ("session", session), ("key", "n\(Self.deepest)"),
          ("index", "\(Self.deepest)"), ("code", "depth-limit"),
          ("file", depthCase.route.contains("/explorer/") ? "explorer.css" : "tree-client.js"),
        ]
        let answer = try access.send(depthCase.ask(names.map { (template: $0.0, name: $0.1) }))
        let context = "\(depthCase.route)?\(depthCase.query) \(depthCase.body.prefix(80))"
        #expect(answer.status == depthCase.status, "\(context): \(answer.text.prefix(200))")
        served.insert(depthCase.route)
        if let place = answer["Location"], place.contains("/sessions/") {
          session = String(place.split(separator: "/").last ?? "")
        }
        if depthCase.route.hasSuffix("/import"), answer.status == 200 { try follow(access, port) }
      }
      let table = TreeAPI.routes.map { "\($0.method.rawValue) \($0.template)" }
      #expect(served == Set(table), "each route has a case, and each case a route")
    }
  }

  /// Follows changes at the deepest node in another session, by a change list and as a stream.
  private func follow(_ access: SocketAccess, _ port: UInt16) throws {
    let watching = try RemoteSession(access, #"{"tree":"deep"}"#)
    let before = try watching.read("")["revision"]?.integer
    #expect(before == 0)
    let batch = #"{"operations":[{"op":"update","key":"n\#(Self.deepest)","object":{"n":1}}]}"#
    #expect(try access.send(Ask(.post, "/v1/trees/deep/batch", batch)).status == 200)
    let entries = try watching.read("/changes?since=0")["changes"]?.elements
    #expect(entries?.first?["index"]?.integer == Self.deepest)
    let events = try EventStreamClient(port: port, watching.path, query: "since=0").events(upTo: 1)
    #expect(events.map(\.type) == ["changes"])
    #expect(try watching.send(Ask(.delete, "")).status == 204)
  }

  // MARK: Cases

  private static let cases = making + reading + operations + options + single + ending

  private static let tree = "/v1/trees/{tree}"
  private static let session = "/v1/sessions/{session}"
  private static let node = session + "/nodes/{key}"

  private static let making = [
    DepthCase(
      route: "POST /v1/trees",
      body: #"{"tree":"nested","nodes":\#(nested("m", from: 0, through: deepest))}"#,
      status: 201
    ),
    DepthCase(
      route: "POST /v1/trees",
      body: #"{"tree":"deep","sections":["S","T"]}"#,
      status: 201
    ),
    DepthCase(route: "POST \(tree)/import", body: chain(through: deepest)),
    DepthCase(route: "POST \(tree)/import", body: below(deepest), status: 422),
    DepthCase(route: "GET /v1/trees"),
    DepthCase(route: "GET \(tree)"),
    DepthCase(route: "GET \(tree)/nodes/{key}"),
    DepthCase(route: "GET \(tree)/nodes/{key}/children"),
    DepthCase(route: "GET \(tree)/children"),
    DepthCase(route: "POST \(tree)/nodes/get", body: #"{"keys":["n\#(deepest)"]}"#),
    DepthCase(route: "GET \(tree)/export"),
    DepthCase(
      route: "POST \(tree)/batch",
      body: #"{"operations":[{"op":"update","key":"n\#(deepest)","object":2}]}"#
    ),
    DepthCase(
      route: "POST /v1/sessions",
      body: #"{"tree":"deep","expansion":"none","expandedKeys":["n\#(deepest)"]}"#,
      status: 201
    ),
    DepthCase(route: "DELETE \(session)", status: 204),
    DepthCase(route: "POST /v1/sessions", body: #"{"tree":"deep","expansion":99999}"#, status: 201),
    DepthCase(route: "DELETE \(session)", status: 204),
    DepthCase(route: "POST /v1/sessions", body: #"{"tree":"deep"}"#, status: 201),
  ]

  private static let reading = [
    DepthCase(route: "GET \(session)"),
    DepthCase(route: "GET \(session)/state"),
    DepthCase(route: "GET \(session)/sections"),
    DepthCase(route: "GET \(session)/rows", query: "offset=\(deepest - 50)&limit=1000"),
    DepthCase(route: "GET \(session)/rows", query: "around=n\(deepest)&before=20&after=20"),
    DepthCase(route: "GET \(session)/rows/{index}"),
    DepthCase(route: "GET \(node)"),
    DepthCase(route: "GET \(node)/children"),
    DepthCase(route: "GET \(session)/children"),
    DepthCase(route: "POST \(session)/nodes/get", body: #"{"keys":["n\#(deepest)"]}"#),
    DepthCase(route: "GET \(node)/ancestors"),
    DepthCase(route: "GET \(session)/search", query: "q=n\(deepest)&by=%23key"),
    DepthCase(route: "GET \(session)/search", query: "q=x&after=n\(deepest)"),
    DepthCase(route: "GET \(session)/changes", query: "since=0"),
  ]

  /// Batches with each operation, at the deepest node or about all of its ancestors.
  private static let operations = [
    #"{"op":"insert","key":"x","parent":"n\#(deepest - 1)","children":"unloaded"}"#,
    #"{"op":"expand","key":"x"}"#,
    #"{"op":"move","key":"x","parent":"n\#(deepest - 1)","first":true}"#,
    #"{"op":"move","keys":["x","n\#(deepest)"],"parent":"n0","before":"n1"}"#,
    #"{"op":"move","key":"n\#(deepest)","parent":"n\#(deepest - 1)"}"#,
    #"{"op":"update","key":"n\#(deepest)","merge":{"a":{"b":null}}}"#,
    #"{"op":"update","key":"x","object":\#(object(deepest))}"#,
    #"{"op":"update","key":"x","merge":\#(object(deepest))}"#,
    #"{"op":"sort","by":[{"by":"/a/a"}]}"#,
    #"{"op":"sort","key":"n\#(deepest - 1)","by":[{"by":""}]}"#,
    #"{"op":"setChildren","key":"x","children":\#(nested("y", from: 2, through: deepest - 1))}"#,
    #"{"op":"setChildren","key":"x","children":\#(nested("y", from: 1, through: deepest / 2))}"#,
    #"{"op":"setChildren","key":"x","children":null}"#,
    #"{"op":"remove","key":"x"}"#,
    #"{"op":"collapse","key":"n0"}"#,
    #"{"op":"expand","key":"n0","levels":"all"}"#,
    #"{"op":"collapse","key":"n0","levels":"all"}"#,
    #"{"op":"reveal","keys":["n\#(deepest)"],"select":true}"#,
    #"{"op":"toggle","key":"n\#(deepest - 1)"}"#,
    #"{"op":"expandAll"}"#,
    #"{"op":"collapseAll"}"#,
    #"{"op":"expandAll"}"#,
    #"{"op":"select","subtree":"n0"}"#,
    #"{"op":"deselect","keys":["n\#(deepest)"]}"#,
    #"{"op":"clearSelection"}"#,
    #"{"op":"collapseSection","section":"S"}"#,
    #"{"op":"expandSection","section":"S"}"#,
    #"{"op":"insertSection","section":"U","index":0}"#,
    #"{"op":"moveSection","section":"S","index":2}"#,
    #"{"op":"renameSection","section":"S","to":"R"}"#,
    #"{"op":"removeSection","section":"U"}"#,
    #"{"op":"move","key":"n0","parent":null,"section":"T"}"#,
    #"{"op":"move","key":"n\#(deepest / 2)","parent":null,"first":true}"#,
    #"{"op":"move","key":"n\#(deepest / 2)","parent":"n\#(deepest / 2 - 1)"}"#,
  ].map { operation in
    DepthCase(
      route: "POST \(session)/batch",
      query: "changes=ranges&include=rows&limit=10",
      body: #"{"operations":[\#(operation)]}"#
    )
  }

  private static let options = [
    ##"{"filter":{"by":"#key","equals":"n\##(deepest)"}}"##,
    #"{"order":"breadthFirst"}"#,
    ##"{"filter":{"not":{"by":"#key","equals":"n\##(deepest)"}}}"##,
    #"{"filter":null}"#,
    #"{"order":"depthFirst"}"#,
    ##"{"viewSort":[{"by":"#key"}]}"##,
    #"{"viewSort":[{"by":""}],"order":"breadthFirst"}"#,
    #"{"viewSort":null,"order":"depthFirst"}"#,
    #"{"expansion":99999}"#,
    #"{"nestedExpansion":"forget","accordion":true}"#,
    #"{"expansion":"all"}"#,
  ].flatMap { options in
    [
      DepthCase(route: "PATCH \(session)", query: "changes=ranges", body: options),
      DepthCase(route: "GET \(session)/rows", query: "offset=\(deepest - 1_000)"),
      DepthCase(route: "GET \(session)/state"),
    ]
  }

  private static let single = [
    DepthCase(route: "PUT \(node)", body: #"{"object":{"n":1}}"#),
    DepthCase(route: "PATCH \(node)", body: #"{"n":2}"#),
    DepthCase(route: "POST \(node)/collapse"),
    DepthCase(route: "POST \(node)/expand"),
    DepthCase(route: "POST \(node)/toggle"),
    DepthCase(route: "POST \(node)/reveal"),
    DepthCase(route: "POST \(node)/select", body: #"{"subtree":true}"#),
    DepthCase(route: "POST \(node)/deselect"),
    DepthCase(route: "POST \(session)/clearSelection"),
    DepthCase(
      route: "POST \(node)/move",
      query: "dryRun=true",
      body: #"{"parent":"n0","first":true}"#
    ),
    DepthCase(route: "POST \(session)/collapseAll"),
    DepthCase(route: "POST \(node)/reveal"),
    DepthCase(route: "POST \(session)/expandAll"),
    DepthCase(route: "PUT \(node)/children", body: #""unloaded""#),
    DepthCase(route: "PUT \(node)/children", body: nested("z", from: 0, through: 3), status: 422),
    DepthCase(route: "PUT \(session)/forest", query: "section=R", body: "[]"),
    // The history no longer reaches back to revision 1.
    DepthCase(route: "GET \(session)/changes", query: "since=1", status: 410),
  ]

  private static let ending = [
    DepthCase(route: "DELETE \(node)"),
    DepthCase(route: "PUT \(session)/forest", body: nested("n", from: 0, through: deepest)),
    DepthCase(route: "PUT \(session)/forest", body: "[]"),
    DepthCase(route: "DELETE \(session)", status: 204),
    DepthCase(
      route: "POST /v1/sessions",
      body: #"{"nodes":\#(nested("p", from: 0, through: deepest))}"#,
      status: 201
    ),
    DepthCase(route: "DELETE \(session)", status: 204),
    DepthCase(route: "DELETE \(tree)", status: 204),
    DepthCase(route: "GET /healthz"),
    DepthCase(route: "GET /readyz"),
    DepthCase(route: "GET /metrics"),
    DepthCase(route: "GET /openapi.yaml"),
    DepthCase(route: "GET /problems/{code}"),
    DepthCase(route: "GET /client/{file}"),
    DepthCase(route: "GET /", status: 302),
    DepthCase(route: "GET /explorer", status: 302),
    DepthCase(route: "GET /explorer/"),
    DepthCase(route: "GET /explorer/{file}"),
  ]

  /// Returns a chain as lines of an import.
  private static func chain(through last: Int) -> String {
    let lines = (1...last).map { #"{"key":"n\#($0)","parent":"n\#($0 - 1)"}"# }
    return #"{"key":"n0"}"# + "\n" + lines.joined(separator: "\n")
  }

  /// Returns a line for a node that is too deep.
  private static func below(_ number: Int) -> String { #"{"key":"x","parent":"n\#(number)"}"# }

  /// Returns a chain as nested nodes.
  private static func nested(_ prefix: String, from first: Int, through last: Int) -> String {
    let opening = (first...last).map { #"[{"key":"\#(prefix)\#($0)","children":"# }
    return opening.joined() + "null" + String(repeating: "}]", count: opening.count)
  }

  /// Returns a JSON object nested to a depth.
  private static func object(_ depth: Int) -> String {
    String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
  }
}

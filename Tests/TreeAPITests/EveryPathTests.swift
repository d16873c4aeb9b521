import HTTP
import Testing
import TreeAPI

@Suite struct `Every path` {
  /// The methods of each path template.
  private static let paths = Dictionary(grouping: TreeAPI.routes, by: \.template)
    .mapValues { $0.map(\.method) }

  @Test(arguments: paths.keys.sorted())
  func `refuses other methods with the allowed ones, as OPTIONS does`(
    template: String
  ) throws {
    let tester = try Tester()
    let target = Self.target(template)
    var methods = Self.methods(at: template).union([.options])
    if methods.contains(.get) { methods.insert(.head) }
    let allowed = Method.allCases.filter(methods.contains).map(\.rawValue).joined(separator: ", ")
    #expect(try tester.send(.options, target)[.allow] == allowed)
    for method in Method.allCases where !methods.contains(method) {
      let answer = try tester.send(method, target)
      #expect(answer.status == 405 && answer.code == "method-not-allowed", "\(method)")
      #expect(answer[.allow] == allowed)
    }
  }

  /// The metrics change between two requests.
  @Test(arguments: paths.keys.filter { paths[$0]?.contains(.get) == true && $0 != "/metrics" })
  func `answers HEAD with the fields of GET`(template: String) throws {
    let tester = try Tester()
    let queries = ["changes": "?since=0", "search": "?q=a"]
    let name = template.split(separator: "/").last.map(String.init) ?? ""
    let target = Self.target(template) + (queries[name] ?? "")
    let get = try tester.send(.get, target)
    let head = try tester.send(.head, target)
    let isElsewhere = template == "/" || template == "/explorer"
    let expected = template.contains("{tree}") ? 404 : isElsewhere ? 302 : 200
    #expect(get.status == expected, "\(get.body)")
    #expect(head.status == get.status && head.fields == get.fields)
  }

  @Test(
    arguments: [
      (Method.post, "/none", "application/json", 404), (.post, "/healthz", "application/json", 405),
      (.post, "/v1/sessions", "text/plain", 415), (.put, "{s}/nodes/box", "text/plain", 415),
      (.post, "/v1/sessions", "application/json", nil), (.put, "{s}", "application/json", 405),
      (.post, "{s}/batch?dryRun=true", "application/json", nil),
      (.post, "{s}/batch?x=1", "application/json", 400),
      (.put, "{s}/nodes/box?limit=x", "application/json", 400),
      (.post, "/v1/sessions?x=1", "application/json", 400),
      (.post, "/v1/sessions/none/batch", "application/json", 404),
      (.patch, "/v1/sessions/none", "application/json", 404),
      (.post, "/v1/trees/none/batch", "application/json", 404),
      (.post, "/v1/trees/none/batch?dryRun=x", "application/json", 400),
    ] as [(Method, String, String, Int?)]
  )
  func `refuses useless content before it is sent`(
    method: Method,
    target: String,
    type: String,
    status: Int?
  ) throws {
    let tester = try Tester()
    let fields: [(FieldName, String)] = [(.contentType, type), (.expect, "100-Continue")]
    let waiting = try tester.request(method, target, "{}", fields)
    #expect(tester.api.receiver(for: waiting)?.begin()?.status.code == status)
    let sending = try tester.request(method, target, "{}", [(.contentType, type)])
    #expect(tester.api.receiver(for: sending)?.begin() == nil)
  }

  @Test func `refuses content before it is sent for an invalid field or a deleted session`()
    throws
  {
    let tester = try Tester()
    for target in ["{s}/batch", "/v1/sessions", "/v1/trees"] {
      for field in [FieldName.ifMatch, .idempotencyKey] {
        let fields: [(FieldName, String)] = [(field, "a b"), (.expect, "100-continue")]
        let waiting = try tester.request(.post, target, "{}", fields)
        #expect(tester.api.receiver(for: waiting)?.begin()?.status.code == 400, "\(target)")
      }
    }
    // A retry gets its stored answer, even with a stale condition.
    let fields: [(FieldName, String)] = [(.ifMatch, "\"7\""), (.expect, "100-continue")]
    let stale = try tester.request(.post, "{s}/batch", "{}", fields)
    #expect(tester.api.receiver(for: stale)?.begin() == nil)
    #expect(try tester.send(.delete, "{s}").status == 204)
    #expect(tester.api.receiver(for: stale)?.begin()?.status.code == 404)
  }

  /// Returns the methods of all templates that match a template's path.
  private static func methods(at template: String) -> Set<HTTP.Method> {
    let path = template.split(separator: "/")
    let matching = TreeAPI.routes.filter { route in
      let segments = route.template.split(separator: "/")
      return segments.count == path.count
        && zip(segments, path).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
    }
    return Set(matching.map(\.method))
  }

  private static func target(_ template: String) -> String {
    template.replacing("/v1/sessions/{session}", with: "{s}").replacing("{tree}", with: "none")
      .replacing("{key}", with: "box").replacing("{index}", with: "0")
      .replacing("{code}", with: "cycle").replacing("client/{file}", with: "client/tree-client.js")
      .replacing("explorer/{file}", with: "explorer/explorer.css")
  }
}

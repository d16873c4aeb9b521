import Testing

@testable import HTTP

@Suite struct RouterTests {
  private let router: Router<String> = {
    var router = Router<String>()
    router.add(.get, "/", "root")
    router.add(.get, "/healthz", "health")
    router.add(.post, "/v1/sessions", "create")
    router.add(.get, "/v1/sessions/{session}", "read")
    router.add(.delete, "/v1/sessions/{session}", "delete")
    router.add(.get, "/v1/sessions/{session}/rows", "rows")
    router.add(.get, "/v1/sessions/{session}/nodes/{key}", "node")
    router.add(.post, "/v1/sessions/{session}/nodes/{key}/expand", "expand")
    router.add(.post, "/v1/sessions/batch/run", "literal")
    return router
  }()

  private func find(_ method: Method, _ target: String) throws -> String {
    switch router.match(method, try Request(method: method, target: target).target) {
    case .endpoint(let name, _): name
    case .methodNotAllowed(let allowed): "405 " + names(allowed)
    case .options(let allowed): "204 " + names(allowed)
    case .notFound: "404"
    }
  }

  private func names(_ methods: [Method]) -> String {
    methods.map(\.rawValue).joined(separator: " ")
  }

  @Test(arguments: [
    (Method.get, "/", "root"),
    (.get, "/?x=1", "root"),
    (.get, "/healthz", "health"),
    (.head, "/healthz", "health"),
    (.get, "http://localhost/healthz", "health"),
    (.post, "/v1/sessions", "create"),
    (.get, "/v1/sessions/s_1", "read"),
    (.head, "/v1/sessions/s_1", "read"),
    (.delete, "/v1/sessions/s_1", "delete"),
    (.get, "/v1/sessions/batch", "read"),
    (.get, "/v1/sessions/batch/rows", "rows"),
    (.post, "/v1/sessions/batch/run", "literal"),
    (.get, "/v1/sessions/s/nodes/a%2Fb", "node"),
    (.post, "/v1/sessions/s/nodes/expand/expand", "expand"),
    (.put, "/v1/sessions", "405 POST OPTIONS"),
    (.head, "/v1/sessions", "405 POST OPTIONS"),
    (.put, "/v1/sessions/s", "405 GET HEAD DELETE OPTIONS"),
    (.trace, "/healthz", "405 GET HEAD OPTIONS"),
    (.options, "/v1/sessions/s", "204 GET HEAD DELETE OPTIONS"),
    (.options, "*", "204 GET HEAD POST DELETE OPTIONS"),
    (.options, "/nowhere", "404"),
    (.get, "/healthz/", "404"),
    (.get, "/Healthz", "404"),
    (.get, "//healthz", "404"),
    (.get, "/v1", "404"),
    (.get, "/v1/sessions/", "404"),
    (.get, "/v1/sessions//rows", "404"),
    (.get, "/v1/sessions/s/nodes/", "404"),
    (.get, "/v1/sessions/s/nodes/a/b", "404"),
  ])
  func `a path finds its endpoint`(method: Method, target: String, expected: String) throws {
    #expect(try find(method, target) == expected)
  }

  @Test func `parameters are decoded and found by name`() throws {
    let request = try Request(method: .get, target: "/v1/sessions/s%201/nodes/a%2Fb?x")
    guard case .endpoint(_, let parameters) = router.match(.get, request.target) else {
      Issue.record("not found")
      return
    }
    #expect(parameters["session"] == Array("s 1".utf8))
    #expect(parameters["key"] == Array("a/b".utf8))
  }

  @Test func `the routes are listed as they were added`() {
    let list = router.routes.map { "\($0.method.rawValue) \($0.template)" }
    #expect(list.first == "GET /" && list.count == 9)
    #expect(list.contains("GET /v1/sessions/{session}/nodes/{key}"))
  }

  @Test func `OPTIONS is answered with Allow and no content`() {
    let response = Router<String>.optionsResponse(allowed: [.get, .options])
    #expect(response.status == .noContent)
    #expect(response.fields.value(.allow)?.elementsEqual("GET, OPTIONS".utf8) == true)
  }
}

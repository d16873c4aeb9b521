import Testing

@testable import HTTP

@Suite struct RouterTests {
  private static let names = [
    "root", "health", "create", "read", "delete", "rows", "node", "expand", "literal",
  ]

  private let router: Router = {
    var router = Router()
    router.add(.get, "/")
    router.add(.get, "/healthz")
    router.add(.post, "/v1/sessions")
    router.add(.get, "/v1/sessions/{session}")
    router.add(.delete, "/v1/sessions/{session}")
    router.add(.get, "/v1/sessions/{session}/rows")
    router.add(.get, "/v1/sessions/{session}/nodes/{key}")
    router.add(.post, "/v1/sessions/{session}/nodes/{key}/expand")
    router.add(.post, "/v1/sessions/batch/run")
    return router
  }()

  private func find(_ method: Method, _ target: String) throws -> String {
    switch router.match(method, try Request(method: method, target: target).target).outcome {
    case .route(let index): Self.names[index]
    case .methodNotAllowed(let allowed): "405 " + names(allowed)
    case .options(let allowed, _): "204 " + names(allowed)
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
  func `a method and path match their route`(
    method: Method,
    target: String,
    expected: String
  ) throws {
    #expect(try find(method, target) == expected)
  }

  @Test func `parameters are decoded and found by name`() throws {
    let request = try Request(method: .get, target: "/v1/sessions/s%201/nodes/a%2Fb?x")
    guard case .route(let index) = router.match(.get, request.target).outcome else {
      Issue.record("not found")
      return
    }
    let parameters = PathParameters(of: router.routes[index], in: request)
    #expect(parameters["session"] == Array("s 1".utf8)[...])
    #expect(parameters["key"] == Array("a/b".utf8)[...])
  }

  @Test func `routes are listed in the order of registration`() {
    let list = router.routes.map { "\($0.method.rawValue) \($0.template)" }
    #expect(list.first == "GET /" && list.count == 9)
    #expect(list.contains("GET /v1/sessions/{session}/nodes/{key}"))
  }

  @Test(arguments: [
    (Method.get, "/v1/sessions/s_1/rows?x", "/v1/sessions/{session}/rows"),
    (.put, "/v1/sessions/s_1", "/v1/sessions/{session}"),
    (.options, "/healthz", "/healthz"),
    (.options, "*", "none"),
    (.get, "/v1/sessions/s_1/nowhere", "none"),
    (nil, "/healthz", "/healthz"),
  ])
  func `a path is counted by its template`(
    method: Method?,
    target: String,
    label: String
  ) throws {
    let request = try Request(method: method ?? .options, target: target)
    #expect(router.labels[router.match(method, request.target).label.index] == label)
  }

  @Test func `there is a label for each template, and two more`() {
    #expect(router.labels.prefix(3) == ["malformed", "none", "/"])
    #expect(Set(router.labels).count == router.labels.count && router.labels.count == 10)
  }

  @Test func `OPTIONS is answered with Allow and no content`() {
    let response = Router.optionsResponse(allowed: [.get, .options])
    #expect(response.status == .noContent)
    #expect(response.fields.value(.allow)?.elementsEqual("GET, OPTIONS".utf8) == true)
  }
}

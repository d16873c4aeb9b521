import HTTP
import Testing
import TreeDomain

@testable import TreeAPI

/// The right that a request needs, listed independently of the code.
private enum Need {
  case nothing, metrics, read, viewSession, view, data
}

/// A request to a route.
private struct Case: Sendable, CustomTestStringConvertible {
  let method: HTTP.Method
  let template: String
  let need: Need
  let body: String

  init(_ route: String, _ need: Need, _ body: String = "") {
    let parts = route.split(separator: " ")
    method = HTTP.Method(rawValue: String(parts[0])) ?? .trace
    template = String(parts[1])
    self.need = need
    self.body = body
  }

  var route: String { "\(method.rawValue) \(template)" }
  var testDescription: String { "\(route) \(body)" }

  private static let session = "/v1/sessions/{session}"
  private static let node = session + "/nodes/{key}"

  /// At least one request for each route. A test fails if a route is missing.
  static let all = trees + sessions + single + around

  private static let trees = [
    Case("POST /v1/trees", .data, "{}"), Case("GET /v1/trees", .read),
    Case("GET /v1/trees/{tree}", .read), Case("DELETE /v1/trees/{tree}", .data),
    Case("GET /v1/trees/{tree}/nodes/{key}", .read),
    Case("GET /v1/trees/{tree}/nodes/{key}/children", .read),
    Case("GET /v1/trees/{tree}/children", .read),
    Case("POST /v1/trees/{tree}/nodes/get", .read, #"{"keys":["a"]}"#),
    Case("POST /v1/trees/{tree}/batch", .data, #"{"operations":[]}"#),
    Case("POST /v1/trees/{tree}/import", .data), Case("GET /v1/trees/{tree}/export", .read),
  ]

  private static let sessions = [
    Case("POST /v1/sessions", .data, "{}"), Case("POST /v1/sessions", .data),
    Case("POST /v1/sessions", .viewSession, #"{"access":"view","nodes":[{"key":"a"}]}"#),
    Case("GET \(session)", .read), Case("PATCH \(session)", .view, #"{"accordion":true}"#),
    Case("PATCH \(session)", .data, #"{"sort":[]}"#), Case("DELETE \(session)", .view),
    Case("GET \(session)/state", .read), Case("GET \(session)/rows", .read),
    Case("GET \(session)/rows/{index}", .read), Case("GET \(node)", .read),
    Case("GET \(node)/children", .read), Case("GET \(session)/children", .read),
    Case("GET \(node)/ancestors", .read), Case("GET \(session)/sections", .read),
    Case("POST \(session)/nodes/get", .read, #"{"keys":["a"]}"#),
    Case("GET \(session)/search", .read), Case("GET \(session)/changes", .read),
    Case("POST \(session)/batch", .view, #"{"operations":[{"op":"expandAll"}]}"#),
    Case(
      "POST \(session)/batch",
      .data,
      #"{"operations":[{"op":"expandAll"},{"op":"remove","key":"k"}]}"#
    ),
  ]

  private static let single = [
    Case("PUT \(node)", .data, "{}"), Case("PATCH \(node)", .data, "{}"),
    Case("DELETE \(node)", .data), Case("PUT \(node)/children", .data, "[]"),
    Case("PUT \(session)/forest", .data, "[]"), Case("POST \(node)/expand", .view),
    Case("POST \(node)/collapse", .view), Case("POST \(node)/toggle", .view),
    Case("POST \(node)/reveal", .view), Case("POST \(node)/select", .view),
    Case("POST \(node)/deselect", .view), Case("POST \(node)/move", .data, #"{"first":true}"#),
    Case("POST \(session)/expandAll", .view), Case("POST \(session)/collapseAll", .view),
    Case("POST \(session)/clearSelection", .view),
  ]

  private static let around = [
    Case("GET /healthz", .nothing), Case("GET /readyz", .nothing), Case("GET /metrics", .metrics),
    Case("GET /openapi.yaml", .nothing), Case("GET /problems/{code}", .nothing),
    Case("GET /client/{file}", .nothing), Case("GET /", .nothing),
    Case("GET /explorer", .nothing), Case("GET /explorer/", .nothing),
    Case("GET /explorer/{file}", .nothing),
  ]
}

/// A service with keys of all scopes, a shared tree, and a session of each access.
private struct Scoped {
  /// The holder of some credentials.
  enum Caller: CaseIterable {
    case stranger, admin, read, metrics, readAndMetrics, adminAndMetrics
    case writeSecret, viewSecret

    var key: String? {
      switch self {
      case .admin: "admin-0123456789"
      case .read: "reader-0123456789"
      case .metrics: "metrics-0123456789"
      case .readAndMetrics: "read-metrics-0123456789"
      case .adminAndMetrics: "admin-metrics-0123456789"
      case .stranger, .writeSecret, .viewSecret: nil
      }
    }
  }

  static let lines = """
    a:admin-0123456789
    r:reader-0123456789:read
    m:metrics-0123456789:metrics
    rm:read-metrics-0123456789:read,metrics
    am:admin-metrics-0123456789:metrics,admin
    """

  let gate: Gate
  private var made: [SessionAccess: (id: String, secret: String)] = [:]

  init() throws {
    gate = try Gate { options in
      options.keys = AccessKeys()
      try options.keys.add(lines: Array(Self.lines.utf8))
    }
    let admin = Caller.admin.key
    let tree = #"{"tree":"none","nodes":[{"key":"k","children":[{"key":"l"}]}]}"#
    #expect(try gate.send(.post, "/v1/trees", tree, token: admin).status == 201)
    for access in SessionAccess.allCases {
      let body = #"{"tree":"none","access":"\#(access)"}"#
      let answer = try gate.send(.post, "/v1/sessions", body, token: admin)
      #expect(answer.member("access") == access.rawValue)
      let id = try #require(answer.member("session"))
      made[access] = (id, try #require(answer.member("secret")))
    }
  }

  func id(_ access: SessionAccess?) -> String {
    access.flatMap { made[$0]?.id } ?? Gate.absentSession
  }

  func token(of caller: Caller) -> String? {
    switch caller {
    case .writeSecret: made[.write]?.secret
    case .viewSecret: made[.view]?.secret
    default: caller.key
    }
  }

  /// Returns true if the contract allows a caller a request, given the access of the session, if
  /// any.
  static func allows(_ caller: Caller, _ need: Need, _ place: SessionAccess?, _ its: Case) -> Bool {
    guard need != .nothing else { return true }
    switch caller {
    case .stranger: return false
    case .admin, .adminAndMetrics: return true
    case .metrics: return need == .metrics
    case .read, .readAndMetrics: return need == .view ? place != .write : need != .data
    case .writeSecret, .viewSecret:
      let own: SessionAccess = caller == .viewSecret ? .view : .write
      guard its.template.contains("{session}"), place == own else { return false }
      return need != .data || own == .write
    }
  }
}

@Suite struct `Scopes and access` {
  @Test func `every route has a case`() {
    let routes = TreeAPI.routes.map { "\($0.method.rawValue) \($0.template)" }
    #expect(Set(Case.all.map(\.route)) == Set(routes))
  }

  @Test(arguments: Case.all)
  fileprivate func `allow a route to the callers of the contract only`(_ its: Case) throws {
    let hasSession = its.template.contains("{session}")
    let places: [SessionAccess?] = hasSession ? [.write, .view, nil] : [nil]
    for (caller, place) in Scoped.Caller.allCases.flatMap({ caller in
      places.map { (caller, $0) }
    }) {
      let scoped = try Scoped()
      let path = Gate.path(its.template, session: scoped.id(place))
      let token = scoped.token(of: caller)
      for method in its.method == .get ? [.get, .head] : [its.method] {
        let request = try scoped.gate.request(method, path, its.body, token: token)
        let isAllowed = Scoped.allows(caller, its.need, place, its)
        guard case .response(let response) = scoped.gate.api.respond(to: request) else {
          #expect(isAllowed, "\(caller) at \(place?.rawValue ?? "nothing")")
          continue
        }
        let refusal = caller == .stranger ? 401 : 403
        let status = response.status.code
        let isRight = isAllowed ? ![401, 403].contains(status) : status == refusal
        #expect(isRight, "\(caller) at \(place?.rawValue ?? "nothing"): \(response.status)")
        guard !isAllowed else { continue }
        try expectNothingHappened(in: scoped)
      }
    }
  }

  private func expectNothingHappened(in scoped: Scoped) throws {
    let admin = Scoped.Caller.admin.key
    let trees = try scoped.gate.send(.get, "/v1/trees", token: admin).body
    #expect(trees.contains(#""revision":0"#) && trees.ranges(of: #""tree":"#).count == 1)
    for access in SessionAccess.allCases {
      let path = "/v1/sessions/\(scoped.id(access))"
      let session = try scoped.gate.send(.get, path, token: admin)
      #expect(session.status == 200 && session.body.contains(#""revision":0"#))
    }
  }

  @Test(arguments: Case.all.filter { $0.method != .get })
  fileprivate func `are checked before a body is read, as far as possible`(
    _ its: Case
  ) throws {
    let scoped = try Scoped()
    for place in SessionAccess.allCases {
      let path = Gate.path(its.template, session: scoped.id(place))
      for caller in [Scoped.Caller.metrics, .read] {
        let token = scoped.token(of: caller)
        let request = try scoped.gate.request(its.method, path, "{}", token: token)
        let isSession = its.template.contains("session")
        let isUsable = its.template == "/v1/sessions" || place == .view
        let isRead = its.template.hasSuffix("nodes/get")
        let isLetIn = caller == .read && (isRead || isSession && isUsable)
        let status = scoped.gate.refusal(of: request)?.status
        #expect((status == 403) == !isLetIn, "\(caller) \(place): \(status ?? 0)")
      }
    }
  }

  @Test(arguments: TreeAPI.routes.map(\.template))
  func `apply to OPTIONS as to reads`(template: String) throws {
    let scoped = try Scoped()
    let isOpen = Gate.open.contains(template)
    for (caller, templates) in [
      (Scoped.Caller.metrics, ["/metrics"]), (.read, TreeAPI.routes.map(\.template)),
    ] {
      let path = Gate.path(template, session: scoped.id(.write))
      let answer = try scoped.gate.send(.options, path, token: scoped.token(of: caller))
      #expect(answer.status == (isOpen || templates.contains(template) ? 204 : 403))
    }
  }

  @Test func `name the required right in a refusal`() throws {
    let scoped = try Scoped()
    let session = "/v1/sessions/\(scoped.id(.view))"
    let insert = #"{"operations":[{"op":"expandAll"},{"op":"insert","key":"n"}]}"#
    for (caller, path, body, part) in [
      (Scoped.Caller.metrics, "/v1/sessions", "{}", "GET /metrics"),
      (.read, "/v1/sessions", "{}", #"make and use sessions with \"access\": \"view\""#),
      (.read, session + "/batch", insert, "use a key with the scope admin"),
      (.viewSecret, session + "/batch", insert, #"use a session with \"access\": \"write\""#),
    ] {
      let answer = try scoped.gate.send(.post, path, body, token: scoped.token(of: caller))
      #expect(answer.code == "forbidden" && answer.body.contains(part), "\(answer.body)")
      let challenge = "Bearer realm=\"tree-server\", error=\"insufficient_scope\""
      #expect(answer[.wwwAuthenticate] == challenge)
      #expect(answer.body.contains(#""operation":1"#) == path.hasSuffix("batch"))
    }
  }

  @Test func `of a key allow event streams`() throws {
    let scoped = try Scoped()
    let events = [(FieldName("Accept"), "text/event-stream")]
    for (caller, isAllowed) in [(Scoped.Caller.read, true), (.viewSecret, true), (.metrics, false)]
    {
      let path = "/v1/sessions/\(scoped.id(.view))/changes"
      let request = try scoped.gate.request(.get, path, token: scoped.token(of: caller), events)
      var isLate = false
      if case .later(let answer) = scoped.gate.api.respond(to: request) {
        isLate = true
        answer.cancel()
      }
      #expect(isLate == isAllowed)
    }
  }
}

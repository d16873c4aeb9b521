import HTTP
import Testing
import TreeDomain

@testable import TreeAPI

/// Two sessions of a service with access keys, each with its secret.
private struct TwoSessions {
  let gate: Gate
  let ids: [String]
  let secrets: [String]

  init() throws {
    let gate = try Gate()
    let tree = #"{"tree":"none","nodes":[{"key":"k"}]}"#
    #expect(try gate.send(.post, "/v1/trees", tree, token: Gate.keys[0]).status == 201)
    let made = try [#"{"tree":"none"}"#, #"{"nodes":[{"key":"k"}]}"#].map {
      try gate.send(.post, "/v1/sessions", $0, token: Gate.keys[1])
    }
    self.gate = gate
    ids = try made.map { try #require($0.member("session")) }
    secrets = try made.map { try #require($0.member("secret")) }
  }

  /// Returns a valid body for a route.
  static func body(_ method: HTTP.Method, _ template: String) -> String {
    switch template {
    case _ where template.hasSuffix("/batch"): #"{"operations":[]}"#
    case _ where template.hasSuffix("/children") && method == .put: "[]"
    case _ where template.hasSuffix("/forest"): "[]"
    case _ where template.hasSuffix("/nodes/get"): #"{"keys":["k"]}"#
    case _ where method == .patch || method == .put: "{}"
    default: ""
    }
  }
}

@Suite struct `A session's secret` {
  private static let routes = TreeAPI.routes.filter { !Gate.open.contains($0.template) }
    .map { ($0.method, $0.template) }
  private static let ofSessions = routes.filter { $1.hasPrefix("/v1/sessions/{session}") }

  @Test(arguments: ofSessions)
  func `allows all requests of its session`(method: HTTP.Method, template: String) throws {
    let two = try TwoSessions()
    for (id, secret) in zip(two.ids, two.secrets) {
      let path = Gate.path(template, session: id)
      let request = try two.gate.request(
        method,
        path,
        TwoSessions.body(method, template),
        token: secret
      )
      #expect(two.gate.api.receiver(for: request)?.begin() == nil)
      guard case .response(let response) = two.gate.api.respond(to: request) else { continue }
      #expect(![401, 403, 404, 410].contains(response.status.code), "\(response.status)")
    }
  }

  @Test(arguments: routes)
  func `allows nothing else, existing or not`(method: HTTP.Method, template: String) throws {
    let two = try TwoSessions()
    let others = [two.ids[1], Gate.absentSession, "s_0", two.ids[0] + "0"]
    for other in template.contains("{session}") ? others : [""] {
      let request = try two.gate.request(
        method,
        Gate.path(template, session: other),
        TwoSessions.body(method, template),
        token: two.secrets[0]
      )
      let answers = [
        Answer(try two.gate.api.answer(to: request), session: "\u{0}", tree: "\u{0}"),
        try #require(two.gate.refusal(of: request)),
      ]
      for answer in answers {
        #expect(answer.status == 403 && answer.code == "forbidden")
        let challenge = "Bearer realm=\"tree-server\", error=\"insufficient_scope\""
        #expect(answer[.wwwAuthenticate] == challenge)
      }
    }
  }

  @Test func `is returned by the creation and its retry, and never again`() throws {
    let gate = try Gate()
    let fields = [(FieldName.idempotencyKey, "k")]
    let made = try gate.send(.post, "/v1/sessions", "{}", token: Gate.keys[0], fields)
    let secret = try #require(made.member("secret"))
    let id = try #require(made.member("session"))
    #expect(secret.utf8.count == 43 && SessionSecret(secret.utf8) != nil)
    let again = try gate.send(.post, "/v1/sessions", "{}", token: Gate.keys[0], fields)
    #expect(again.body == made.body && again[.idempotencyReplayed] == "true")
    let stranger = try gate.send(.post, "/v1/sessions", "{}", token: Gate.keys[1], fields)
    #expect(try #require(stranger.member("secret")) != secret)
    for path in ["", "/state", "/rows", "/changes?since=0"] {
      let read = try gate.send(.get, "/v1/sessions/\(id)" + path, token: secret)
      #expect(read.status == 200 && !read.body.contains("secret"))
    }
    let patched = try gate.send(.patch, "/v1/sessions/\(id)", #"{"accordion":true}"#, token: secret)
    #expect(patched.status == 200 && !patched.body.contains("secret"))
    let other = try gate.send(.post, "/v1/sessions", "{}", token: Gate.keys[0])
    #expect(try #require(other.member("secret")) != secret)
  }

  @Test func `is invalid after the session was deleted`() throws {
    let two = try TwoSessions()
    for id in two.ids {
      let secret = two.secrets[id == two.ids[0] ? 0 : 1]
      #expect(try two.gate.send(.delete, "/v1/sessions/\(id)", token: secret).status == 204)
      let answer = try two.gate.send(.get, "/v1/sessions/\(id)", token: secret)
      #expect(answer.status == 401 && answer[.wwwAuthenticate]?.contains("invalid_token") == true)
      #expect(try two.gate.send(.get, "/v1/sessions/\(id)", token: Gate.keys[0]).status == 404)
    }
  }

  @Test func `does not exist without access keys`() throws {
    let made = try Tester().send(.post, "/v1/sessions", "{}")
    #expect(made.status == 201 && made.member("secret") == nil)
  }
}

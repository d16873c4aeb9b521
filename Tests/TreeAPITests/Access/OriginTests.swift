import HTTP
import Testing

@testable import TreeAPI

@Suite struct `Requests by web pages` {
  private static let trusted = "https://app.example"

  struct Case: Sendable, CustomTestStringConvertible {
    var site: String?
    var origin: String?
    var host: String?
    var isFine: Bool

    init(_ site: String?, _ origin: String?, _ host: String?, _ isFine: Bool) {
      self.site = site
      self.origin = origin
      self.host = host
      self.isFine = isFine
    }

    var testDescription: String { "\(site ?? "-") \(origin ?? "-") \(host ?? "-")" }

    var fields: [(FieldName, String)] {
      [(.secFetchSite, site), (.origin, origin), (.host, host)].compactMap { name, value in
        value.map { (name, $0) }
      }
    }
  }

  /// Cases from Go's CrossOriginProtection.
  private static let cases = [
    Case(nil, nil, "localhost", true),
    Case("same-origin", nil, nil, true), Case("none", nil, nil, true),
    Case("same-origin", "https://evil.example", "localhost:8080", true),
    Case("cross-site", nil, nil, false), Case("same-site", nil, nil, false),
    Case("Same-Origin", nil, nil, false), Case("nonsense", nil, nil, false),
    Case("cross-site", "http://localhost:8080", "localhost:8080", false),
    Case("cross-site", "https://evil.example", "localhost", false),
    Case("cross-site", trusted, "localhost", true), Case("same-site", trusted, "localhost", true),
    Case("", "http://localhost", "localhost", true), Case("", "http://evil", "localhost", false),
    Case(nil, "http://localhost:8080", "localhost:8080", true),
    Case(nil, "https://LOCALHOST", "localhost", true),
    Case(nil, "http://localhost", "localhost:8080", false),
    Case(nil, "http://localhost:8081", "localhost:8080", false),
    Case(nil, "http://localhost:8080", nil, false), Case(nil, "null", "localhost", false),
    Case(nil, "", "", false), Case(nil, "http://", "", true),
    Case(nil, "http://evil.example", "localhost", false),
    Case(nil, "http://localhost.evil.example", "localhost", false),
    Case(nil, trusted, "localhost", true), Case(nil, trusted + "/", "localhost", false),
    Case(nil, trusted + ":443", "localhost", false), Case(nil, "http://app.example", "a", false),
  ]

  private func gate() throws -> Gate {
    let origins = try WebOrigins(list: Self.trusted)
    return try Gate { $0.origins = origins }
  }

  @Test(arguments: cases)
  func `a changing request is accepted or refused by its origin`(case: Case) throws {
    let gate = try gate()
    for route in TreeAPI.routes where !Gate.open.contains(route.template) {
      let isSafe = route.method == .get
      let request = try gate.request(
        route.method,
        Gate.path(route.template),
        token: Gate.keys[0],
        `case`.fields
      )
      if let refusal = gate.refusal(of: request), refusal.status != 415 {
        #expect(refusal.status == 403 && !isSafe && !`case`.isFine, "\(route.template)")
      } else {
        #expect(isSafe || `case`.isFine, "\(route.template)")
      }
      guard case .response(let response) = gate.api.respond(to: request) else { continue }
      let isRefused = response.status == .forbidden
      #expect(isRefused == (!isSafe && !`case`.isFine), "\(route.method) \(route.template)")
    }
  }

  @Test(arguments: [
    ("http://localhost:8080", "localhost:8080", "evil.example", true),
    ("http://evil.example", "localhost:8080", "evil.example", false),
    ("http://localhost:8080", "localhost", "localhost:8080", false),
  ])
  func `the host of an absolute target takes precedence over the field`(
    origin: String,
    authority: String,
    host: String,
    isFine: Bool
  ) throws {
    let fields = [(FieldName.origin, origin), (.host, host)]
    let target = "http://\(authority)/v1/trees"
    let status = try gate().send(.post, target, "{}", token: Gate.keys[0], fields).status
    #expect((status != 403) == isFine, "\(status)")
  }

  @Test func `a repeated field is refused`() throws {
    let (own, foreign) = ("http://localhost", "http://evil.example")
    let host = [(FieldName.host, "localhost")]
    for fields in [
      [(FieldName.origin, own), (.origin, foreign)], [(.origin, foreign), (.origin, own)],
      [(.secFetchSite, "same-origin"), (.secFetchSite, "cross-site")],
      [(.secFetchSite, "none"), (.secFetchSite, "none"), (.origin, foreign)],
      [(.origin, Self.trusted), (.origin, Self.trusted)],
    ] {
      let answer = try gate().send(.post, "/v1/trees", "{}", token: Gate.keys[0], host + fields)
      #expect(answer.status == 403, "\(fields)")
    }
  }

  @Test func `credentials are checked before the origin`() throws {
    let fields = [(FieldName.origin, "https://evil.example"), (.host, "localhost")]
    let gate = try gate()
    #expect(try gate.send(.post, "/v1/trees", token: nil, fields).status == 401)
    let refused = try gate.send(.post, "/v1/trees", token: Gate.keys[0], fields)
    #expect(refused.code == "forbidden" && refused[.wwwAuthenticate] == nil)
  }

  @Test func `the origin is checked without keys, too`() throws {
    let tester = try Tester()
    let fields = [(FieldName.secFetchSite, "cross-site")]
    #expect(try tester.send(.post, "{s}/expandAll", "", fields).code == "forbidden")
    #expect(try tester.send(.get, "{s}", "", fields).status == 200)
    #expect(try tester.send(.get, "{s}")[.eTag] == "\"0\"", "nothing has changed")
  }
}

@Suite struct `Preflights` {
  private static let asking: [(FieldName, String)] = [
    (.origin, "https://app.example"), (FieldName("Access-Control-Request-Method"), "PUT"),
    (FieldName("Access-Control-Request-Headers"), "authorization"),
  ]

  private func gate() throws -> Gate {
    let origins = try WebOrigins(list: "https://other.example, https://app.example")
    return try Gate { $0.origins = origins }
  }

  @Test(arguments: TreeAPI.routes.map(\.template))
  func `are answered without credentials, with the methods of the path`(template: String) throws {
    let answer = try gate().send(.options, Gate.path(template), token: nil, Self.asking)
    #expect(answer.status == 204 && answer.body.isEmpty)
    let methods = TreeAPI.routes.filter { $0.template == template }.map(\.method.rawValue)
    let allowed = try #require(answer[FieldName("Access-Control-Allow-Methods")])
    #expect(
      Set(methods).isSubset(
        of: Set(allowed.replacing(" ", with: "").split(separator: ",").map(String.init))
      )
    )
    #expect(answer[FieldName("Access-Control-Max-Age")] == "7200")
    let fields = try #require(answer[FieldName("Access-Control-Allow-Headers")])
    for name in ["Authorization", "Content-Type", "Idempotency-Key", "If-Match", "Last-Event-ID"] {
      #expect(fields.contains(name))
    }
    #expect(answer[FieldName("Access-Control-Allow-Credentials")] == nil)
  }

  @Test func `of other origins, and invalid ones, get no permission`() throws {
    let gate = try gate()
    for origin in ["https://evil.example", "null", "https://app.example.evil", ""] {
      let fields = [(FieldName.origin, origin)] + Self.asking.dropFirst()
      let answer = try gate.send(.options, "/v1/trees", token: nil, fields)
      #expect(answer.status == 204)
      #expect(answer.fields.allSatisfy { !$0.hasPrefix("Access-Control-") }, "\(answer.fields)")
    }
    #expect(try gate.send(.options, "/v1/none", token: nil, Self.asking).status == 404)
    for fields in [[], Array(Self.asking.prefix(1)), Array(Self.asking.suffix(2))] {
      #expect(try gate.send(.options, "/v1/trees", token: nil, fields).status == 401)
      #expect(try gate.send(.options, "*", token: nil, fields).status == 401)
      #expect(try gate.send(.options, "/healthz", token: nil, fields).status == 204)
      let answer = try gate.send(.options, "/v1/trees", token: Gate.keys[0], fields)
      #expect(answer.status == 204 && answer[.allow]?.contains("POST") == true)
    }
  }

  @Test func `OPTIONS without a preflight accepts the secret of its session only`() throws {
    let gate = try gate()
    let made = try gate.send(.post, "/v1/sessions", "{}", token: Gate.keys[0])
    let secret = try #require(made.member("secret"))
    let place = try #require(made[.location])
    #expect(try gate.send(.options, place + "/rows", token: secret).status == 204)
    for path in ["/v1/sessions/\(Gate.absentSession)/rows", "/v1/trees", "*"] {
      #expect(try gate.send(.options, path, token: secret).status == 403)
    }
  }
}

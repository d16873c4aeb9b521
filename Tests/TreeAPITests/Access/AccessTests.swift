import HTTP
import Testing

@testable import TreeAPI

@Suite struct `Access with keys` {
  /// Invalid credentials, each with the error of the challenge.
  private static let strangers: [(credentials: [String], error: String?)] = [
    ([], nil), ([""], nil), (["Bearer"], nil), (["Bearer "], nil), ([Gate.keys[0]], nil),
    (["Basic " + Gate.keys[0]], nil), (["Bearer \(Gate.keys[0]) x"], nil),
    (["Bearer \(Gate.keys[0]),"], nil), (["Bearer=" + Gate.keys[0]], nil),
    (["Bearer\t" + Gate.keys[0]], nil),
    (["Bearer " + Gate.keys[0], "Bearer " + Gate.keys[0]], nil),
    (["Bearer 0"], "invalid_token"), (["Bearer \(Gate.keys[0])0"], "invalid_token"),
    (["Bearer " + Gate.keys[0].dropLast()], "invalid_token"),
    (["Bearer " + Gate.keys[0].uppercased()], "invalid_token"),
    (["Bearer one:" + Gate.keys[0]], nil),
    (["Bearer " + String(repeating: "a", count: 4_000)], "invalid_token"),
  ]

  @Test(arguments: TreeAPI.routes.map { ($0.method, $0.template) })
  func `every route needs a key, except the open ones`(
    method: HTTP.Method,
    template: String
  ) throws {
    let gate = try Gate()
    let path = Gate.path(template)
    for (credentials, error) in Self.strangers {
      let fields = credentials.map { (FieldName.authorization, $0) }
      for method in method == .get ? [.get, .head] : [method] {
        let answer = try gate.send(method, path, token: nil, fields)
        if Gate.open.contains(template) {
          #expect(answer.status == (["/", "/explorer"].contains(template) ? 302 : 200))
          continue
        }
        #expect(answer.status == 401 && answer.code == "unauthenticated", "\(credentials)")
        let challenge = "Bearer realm=\"tree-server\"" + (error.map { ", error=\"\($0)\"" } ?? "")
        #expect(answer[.wwwAuthenticate] == challenge, "\(credentials)")
      }
    }
  }

  @Test(arguments: TreeAPI.routes.map { ($0.method, $0.template) })
  func `every route accepts every key`(method: HTTP.Method, template: String) throws {
    let gate = try Gate()
    for key in Gate.keys {
      for scheme in ["Bearer ", "bearer ", "BEARER   "] {
        let fields = [(FieldName.authorization, scheme + key)]
        let request = try gate.request(method, Gate.path(template), token: nil, fields)
        guard case .response(let response) = gate.api.respond(to: request) else { continue }
        #expect(![401, 403].contains(response.status.code), "\(scheme)")
      }
    }
  }

  @Test(arguments: TreeAPI.routes.filter { $0.method != .get }.map { ($0.method, $0.template) })
  func `a body is not read before the credentials are checked`(
    method: HTTP.Method,
    template: String
  ) throws {
    let gate = try Gate()
    let path = Gate.path(template)
    let stranger = try gate.request(method, path, token: "0123456789abcdeF")
    #expect(gate.refusal(of: stranger)?.status == 401)
    let owner = try gate.request(method, path, token: Gate.keys[0])
    #expect(gate.refusal(of: owner).map { $0.status == 415 } ?? true)
  }

  @Test func `an unknown path and method are refused as such without credentials`()
    throws
  {
    let gate = try Gate()
    #expect(try gate.send(.get, "/v1/none", token: nil).code == "route-not-found")
    #expect(try gate.send(.put, "/v1/trees", token: "0").code == "method-not-allowed")
  }

  @Test func `without keys all credentials are accepted`() throws {
    let tester = try Tester()
    for credentials in ["Bearer 0", "nonsense", ""] {
      #expect(try tester.send(.get, "{s}", "", [(.authorization, credentials)]).status == 200)
    }
  }
}

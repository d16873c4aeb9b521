import HTTP
import JSON
import Testing
import TreeDomain
import TreeSessions

@testable import TreeAPI

@Suite struct `Problems` {
  /// Tests the problems that a request can cause.
  @Test(arguments: [
    (Method.post, "/v1/sessions", "{", 400, "malformed-json"),
    (.post, "/v1/sessions", #"{"tree":7}"#, 400, "invalid-request"),
    (.post, "/v1/sessions", #"{"nodes":[{"key":"a"},{"key":"a"}]}"#, 409, "duplicate-key"),
    (.post, "/v1/sessions", #"{"expandedKeys":["a"]}"#, 404, "node-not-found"),
    (.post, "{s}/batch", "", 400, "malformed-json"),
    (.post, "{s}/batch", "{}", 400, "invalid-request"),
    (.post, "{s}/batch", #"{"operations":[{"op":"fly"}]}"#, 400, "unknown-operation"),
    (.patch, "{s}/nodes/box", "", 400, "malformed-json"),
    (.put, "{s}/nodes/box", #"{"key":"box"}"#, 400, "invalid-request"),
    (.put, "{s}/nodes/box", #"{"children":[]}"#, 400, "invalid-request"),
    (.post, "{s}/expandAll", #"{"levels":1}"#, 400, "invalid-request"),
    (.get, "/v1/sessions/s_0000000000000000000000", "", 404, "session-not-found"),
    (.get, "{s}/nodes/none", "", 404, "node-not-found"),
    (.delete, "{s}/nodes/none", "", 404, "node-not-found"),
    (.get, "{s}/rows?around=none", "", 404, "node-not-found"),
    (.get, "{s}/rows?around=nut", "", 404, "node-not-visible"),
    (.get, "{s}/selection", "", 404, "route-not-found"),
    (.get, "{s}/", "", 404, "route-not-found"),
    (.get, "/v1/sessions//rows", "", 404, "route-not-found"),
    (.post, "{s}/rows", "", 405, "method-not-allowed"),
    (.trace, "/healthz", "", 405, "method-not-allowed"),
    (.get, "{s}?revision=3", "", 409, "revision-changed"),
    (.get, "{s}/rows?offset=11", "", 416, "range-not-satisfiable"),
    (.get, "{s}/rows/10", "", 416, "range-not-satisfiable"),
    (.get, "{s}/nodes/box/children?offset=2", "", 416, "range-not-satisfiable"),
    (.post, "{s}/nodes/fruit/move", #"{"parent":"apple"}"#, 422, "cycle"),
    (.put, "{s}/nodes/new", #"{"parent":"none"}"#, 422, "parent-not-found"),
    (.put, "{s}/nodes/new", #"{"after":"nut"}"#, 422, "anchor-not-a-sibling"),
    (.put, "{s}/nodes/new", #"{"index":99}"#, 422, "index-out-of-range"),
  ])
  func `a refused request is answered with its problem and changes nothing`(
    method: Method,
    target: String,
    body: String,
    status: Int,
    code: String
  ) throws {
    let tester = try Tester()
    let answer = try tester.send(method, target, body)
    #expect(answer.status == status && answer.code == code, "\(answer.body)")
    expectProblem(answer)
    #expect(try tester.send(.get, "{s}")[.eTag] == "\"0\"")
  }

  @Test func `405 names the allowed methods`() throws {
    let answer = try Tester().send(.put, "{s}")
    #expect(answer[.allow] == "GET, HEAD, PATCH, DELETE, OPTIONS")
  }

  @Test func `an exceeded limit is named`() throws {
    var limits = SessionLimits()
    limits.maxSessions = 1
    limits.maxDepth = 1
    let tester = try Tester(limits: limits)
    let full = try tester.send(.post, "/v1/sessions")
    #expect(full.status == 503 && full.code == "overloaded" && full[.retryAfter] == "1")
    expectProblem(full)
    let deep = try tester.send(.put, "{s}/nodes/new", #"{"parent":"nut"}"#)
    #expect(deep.status == 422 && deep.code == "depth-limit")
    expectProblem(deep)
  }

  @Test func `a problem names the failing operation or the offset of invalid JSON`() throws {
    let tester = try Tester()
    let operations = #"{"op":"expandAll"},{"op":"remove","key":"none"}"#
    let answer = try tester.send(.post, "{s}/batch", "{\"operations\":[\(operations)]}")
    #expect(answer.code == "node-not-found")
    #expect(answer.body.contains(#""operation":1,"key":"none""#))
    let cut = try tester.send(.post, "{s}/batch", "{\"operations\":[")
    #expect(cut.body.contains("\"byteOffset\":15"))
    #expect(try tester.send(.get, "{s}")[.eTag] == "\"0\"")
  }

  @Test(arguments: ServiceErrorCode.allCases)
  func `every code of the service has a status, a title and a body`(
    code: ServiceErrorCode
  ) throws {
    var error = ServiceError(code, "Say \"why\".", key: "k\n".utf8)
    error.limit = 7
    let answer = Answer(error.response, session: "(none)", tree: "(none)")
    #expect(answer.code == code.rawValue)
    #expect((400...599).contains(answer.status))
    #expect(answer.body.contains(#""detail":"Say \"why\".""#))
    #expect(answer.body.hasSuffix(#""key":"k\n","limit":7}"#))
    #expect((answer[.retryAfter] != nil) == (answer.status == 503))
    expectProblem(answer)
  }

  @Test func `codes of both the service and HTTP have one meaning`() {
    let shared = ServiceErrorCode.allCases.compactMap { code in
      ProblemCode(rawValue: code.rawValue).map { (code, $0) }
    }
    #expect(shared.count >= 3)
    for (ours, http) in shared {
      #expect(ours.status == http.status && ours.title == http.title)
    }
  }

  /// Checks the members of every problem (RFC 9457, 3.1).
  private func expectProblem(_ answer: Answer) {
    let code = answer.code ?? ""
    #expect(throws: Never.self) { try JSONReader.validate(Array(answer.body.utf8), maxDepth: 1) }
    #expect(answer.member("type") == "/problems/\(code)")
    #expect(answer.member("title")?.isEmpty == false)
    #expect(answer.body.contains("\"status\":\(answer.status),"))
    #expect(answer.member("detail")?.isEmpty == false)
    #expect(answer[.eTag] == nil)
  }
}

import HTTP
import Testing

@testable import TreeAPI

@Suite struct ProbablePathTests {
  @Test(arguments: [
    ("/v1/sessions/", "/v1/sessions", [ProbablePath.Cause.trailingSlash]),
    ("/v1/sessions/s//", "/v1/sessions/s", [.trailingSlash]),
    ("/v1/Sessions/S/Rows", "/v1/sessions/S/rows", [.letterCase]),
    ("/v1/sessions/s/expandall/", "/v1/sessions/s/expandAll", [.trailingSlash, .letterCase]),
    ("/v1/sessions/s/expand-all", "/v1/sessions/s/expandAll", [.misspelling]),
    ("/v1/session/s/rows", "/v1/sessions/s/rows", [.misspelling]),
    ("/v1/sessions/s/nodes/k/slect", "/v1/sessions/s/nodes/k/select", [.misspelling]),
    ("/v1/sessions/s/nodes/k/dselect", "/v1/sessions/s/nodes/k/deselect", [.misspelling]),
    ("/sessions/s/rows", "/v1/sessions/s/rows", [.missingVersion]),
    ("//v1/sessions", "/v1/sessions", [.emptySegment]),
    ("/v1/sessions//rows", "/v1/sessions/{session}/rows", [.emptySegment]),
    ("/v1/sessions/s/nodes/a/b", "/v1/sessions/s/nodes/a%2Fb", [.unencodedSlash]),
    ("/v1/sessions/s/nodes/a%20c/b", "/v1/sessions/s/nodes/a%20c%2Fb", [.unencodedSlash]),
    (
      "/v1/sessions/s/nodes/http://a/b/expand", "/v1/sessions/s/nodes/http:%2F%2Fa%2Fb/expand",
      [.unencodedSlash]
    ),
    ("/v1/trees/t/nodes/a/b/children", "/v1/trees/t/nodes/a%2Fb/children", [.unencodedSlash]),
    (
      "/v1/trees/t/nodes/a/b/c/", "/v1/trees/t/nodes/a%2Fb%2Fc",
      [.trailingSlash, .unencodedSlash]
    ),
    ("/v1/sessions/s/nodes//a", "/v1/sessions/s/nodes/%2Fa", [.unencodedSlash]),
    ("/v1/sessions/s/nodes/a//b/move", "/v1/sessions/s/nodes/a%2F%2Fb/move", [.unencodedSlash]),
    ("/v1/sessions/s/nodes/", "/v1/sessions/s/nodes/{key}", [.trailingSlash, .emptySegment]),
    ("/Healthz", "/healthz", [.letterCase]),
  ])
  func `a path similar to a served one is found`(
    written: String,
    path: String,
    causes: [ProbablePath.Cause]
  ) throws {
    let near = try #require(ProbablePath(near: written))
    #expect(near.path == path)
    #expect(near.causes == causes)
  }

  @Test(arguments: ["", "/", "///", "/favicon.ico", "/v1", "/v1/", "/v1/users/7/rows", "/a/b/c/d"])
  func `a path unlike all served ones is not found`(written: String) {
    #expect(ProbablePath(near: written) == nil)
  }

  @Test(arguments: [
    ("{s}/rows/?limit=3", "It ends in a slash. Did you mean {s}/rows? GET "),
    ("{s}/Rows", "The case of letters counts. Did you mean {s}/rows? GET "),
    (
      "{s}/nodes/a/b",
      "A / inside a key is written as %2F. Did you mean {s}/nodes/a%2Fb? GET "
    ),
    ("http://localhost{s}/rows/", "It ends in a slash. Did you mean {s}/rows? GET "),
    ("/none", "Nothing is served at this path. GET /openapi.yaml lists the paths there are."),
  ])
  func `404 shows the most similar path`(target: String, advice: String) throws {
    let answer = try Tester().send(.get, target)
    #expect(answer.status == 404 && answer.code == "route-not-found")
    let detail = try #require(answer.member("detail"))
    #expect(detail.contains(advice.replacing("{s}", with: "/v1/sessions/S")), "\(detail)")
  }

  @Test func `a long path is not shown`() throws {
    let key = String(repeating: "a/", count: 2_000) + "b"
    let detail = try #require(try Tester().send(.get, "{s}/nodes/\(key)").member("detail"))
    #expect(detail.contains("%2F.") && !detail.contains("Did you mean"))
    #expect(detail.utf8.count < 300)
  }
}

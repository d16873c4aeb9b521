import HTTP
import Testing

@Suite struct `Reading what one may have already` {
  private static let reads = [
    "{s}", "{s}/rows", "{s}/rows/0", "{s}/nodes/box", "{s}/nodes/box/children", "{s}/children",
    "{s}/nodes/box/ancestors",
  ]

  @Test(arguments: reads)
  func `the tag is the revision`(target: String) throws {
    let tester = try Tester()
    #expect(try tester.send(.get, target)[.eTag] == "\"0\"")
    #expect(try tester.send(.post, "{s}/nodes/box/expand").status == 200)
    let answer = try tester.send(.get, target)
    #expect(answer[.eTag] == "\"1\"" && answer[.cacheControl] == "private, no-cache")
  }

  @Test(arguments: reads, ["\"0\"", "W/\"0\"", "*", "\"7\", \"0\""])
  func `what has not changed is not sent again`(target: String, tags: String) throws {
    let tester = try Tester()
    for method in [Method.get, .head] {
      let answer = try tester.send(method, target, "", [(.ifNoneMatch, tags)])
      #expect(answer.status == 304 && answer.body.isEmpty)
      #expect(answer.fields == ["Cache-Control: private, no-cache", "ETag: \"0\""])
    }
  }

  @Test(arguments: ["\"1\"", "0", "\"00\"", "\"\"", ""])
  func `a tag that is not the current one gets everything`(tags: String) throws {
    let answer = try Tester().send(.get, "{s}/rows", "", [(.ifNoneMatch, tags)])
    #expect(answer.status == 200 && answer[.eTag] == "\"0\"" && !answer.body.isEmpty)
  }

  @Test(arguments: [
    ("{s}/nodes/none", "node-not-found"), ("{s}/rows?revision=1", "revision-changed"),
    ("{s}/rows?x=1", "invalid-request"), ("{s}/rows/99", "range-not-satisfiable"),
    ("/v1/sessions/s_x", "session-not-found"),
  ])
  func `an error stays one, whatever the client has`(target: String, code: String) throws {
    let answer = try Tester().send(.get, target, "", [(.ifNoneMatch, "\"0\", *")])
    #expect(answer.code == code)
    #expect(try Tester().send(.get, target, "", [(.ifNoneMatch, "*")]).code == code)
  }
}

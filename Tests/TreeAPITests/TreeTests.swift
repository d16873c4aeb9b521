import HTTP
import Testing

@Suite struct `Shared trees` {
  private static let sample = #"{"tree":"x","sections":["A","B"],"nodes":[\#(nodes)]}"#
  private static let nodes = """
    {"key":"fruit","section":"B","children":[{"key":"apple","object":1},{"key":"pear"}]},{"key":"k"}
    """

  private func service() throws -> Tester {
    let tester = try Tester()
    let made = try tester.send(.post, "/v1/trees", Self.sample)
    #expect(made.status == 201 && made[.location] == "/v1/trees/x", "\(made.body)")
    return tester
  }

  @Test(arguments: [
    ("", #"{"tree":"x","revision":0,"nodeCount":4,"sections":["A","B"],"sort":[]}"#),
    (
      "/nodes/apple",
      """
      {"tree":"x","revision":0,"node":{"key":"apple","parent":"fruit","depth":1,\
      "section":"B","position":0,"siblingCount":2,"childState":"leaf","childCount":0,"object":1}}
      """
    ),
    ("/nodes/k?fields=key,section", #"{"tree":"x","revision":0,"node":{"key":"k","section":"A"}}"#),
    (
      "/nodes/fruit/children?offset=1&fields=key",
      """
      {"tree":"x","revision":0,"parent":"fruit","childCount":2,"offset":1,"nodes":[{"key":"pear"}]}
      """
    ),
    (
      "/children?fields=key",
      """
      {"tree":"x","revision":0,"parent":null,"childCount":2,"offset":0,\
      "nodes":[{"key":"k"},{"key":"fruit"}]}
      """
    ),
    (
      "/children?fields=key&section=B&revision=0",
      """
      {"tree":"x","revision":0,"parent":null,"childCount":1,"offset":0,"nodes":[{"key":"fruit"}]}
      """
    ),
  ])
  func `a read is answered with the revision as entity tag`(path: String, body: String) throws {
    let tester = try service()
    let answer = try tester.send(.get, "/v1/trees/x" + path)
    #expect(answer.status == 200 && answer.body == body, "\(answer.body)")
    #expect(answer[.eTag] == "\"0\"" && answer[.cacheControl] == "private, no-cache")
    let known = try tester.send(.get, "/v1/trees/x" + path, "", [(.ifNoneMatch, "\"0\"")])
    #expect(known.status == 304 && known.body.isEmpty)
  }

  @Test(arguments: [
    (Method.get, "", "", 404, "tree-not-found"), (.get, "/nodes/a", "", 404, "tree-not-found"),
    (.delete, "", "", 404, "tree-not-found"), (.get, "/children", "", 404, "tree-not-found"),
    (.post, "/batch", #"{"operations":[]}"#, 404, "tree-not-found"),
    (.get, "/export", "", 404, "tree-not-found"), (.post, "/import", "", 404, "tree-not-found"),
  ])
  func `a missing tree and an invalid id are not found`(
    method: Method,
    path: String,
    body: String,
    status: Int,
    code: String
  ) throws {
    let tester = try Tester()
    for id in ["none", "%20", "a%2Fb", String(repeating: "x", count: 129)] {
      let answer = try tester.send(method, "/v1/trees/\(id)\(path)", body)
      #expect(answer.status == status && answer.code == code, "\(answer.body)")
    }
  }

  @Test(arguments: [
    (Method.post, "/v1/trees", #"{"tree":"x"}"#, 409, "tree-exists"),
    (.post, "/v1/trees", #"{"tree":"a/b"}"#, 400, "invalid-request"),
    (.post, "/v1/trees", #"{"nodes":[{"key":"a","section":"Z"}]}"#, 404, "section-not-found"),
    (.post, "/v1/trees", #"{"sections":["A","A"]}"#, 409, "duplicate-key"),
    (.get, "/v1/trees/x/nodes/none", "", 404, "node-not-found"),
    (.get, "/v1/trees/x/children?section=Z", "", 404, "section-not-found"),
    (.get, "/v1/trees/x/children?offset=3", "", 416, "range-not-satisfiable"),
    (.get, "/v1/trees/x?revision=7", "", 409, "revision-changed"),
    (.get, "/v1/trees?limit=0", "", 400, "invalid-request"),
    (.get, "/v1/trees?after=%2F", "", 400, "invalid-request"),
    (
      .post, "/v1/trees/x/batch", #"{"operations":[{"op":"expandAll"}]}"#, 400, "invalid-request"
    ),
  ])
  func `a refused request is answered with its problem`(
    method: Method,
    target: String,
    body: String,
    status: Int,
    code: String
  ) throws {
    let answer = try service().send(method, target, body)
    #expect(answer.status == status && answer.code == code, "\(answer.body)")
  }

  @Test func `trees are listed by their ids`() throws {
    let tester = try service()
    for id in ["b", "a", "~"] {
      #expect(try tester.send(.post, "/v1/trees", "{\"tree\":\"\(id)\"}").status == 201)
    }
    let first = try tester.send(.get, "/v1/trees?limit=2").body
    #expect(first.hasPrefix(#"{"trees":[{"tree":"a","revision":0,"nodeCount":0,"#))
    #expect(first.hasSuffix(#""next":"b"}"#))
    let rest = try tester.send(.get, "/v1/trees?after=b").body
    #expect(rest.contains(#""tree":"x""#) && rest.contains(#""tree":"~""#))
    #expect(rest.hasSuffix(#""next":null}"#))
  }

  @Test func `sessions get the changes of a batch, and a deletion ends them`() throws {
    let tester = try service()
    let made = try tester.send(.post, "/v1/sessions", #"{"tree":"x","expansion":"none"}"#)
    let place = try #require(made[.location])
    let body = #"{"operations":[{"op":"remove","key":"k"},{"op":"remove","key":"pear"}]}"#
    let tried = try tester.send(.post, "/v1/trees/x/batch?dryRun=true", body)
    let done = try tester.send(.post, "/v1/trees/x/batch", body)
    let counts = #""previousRevision":0,"revision":1,"nodeCount":2,"applied":2}"#
    #expect(done.body == #"{"tree":"x",\#(counts)"# && tried.body == done.body)
    let changes = try tester.send(.get, place + "/changes?since=0")
    #expect(changes.body.contains(#""changes":[{"type":"delete","key":"k","index":0,"#))
    #expect(try tester.send(.delete, "/v1/trees/x").status == 204)
    #expect(try tester.send(.get, place).code == "session-not-found")
    #expect(try tester.send(.get, "/v1/trees/x").code == "tree-not-found")
  }
}

@Suite struct `Trees created again` {
  private static let body = #"{"tree":"x","nodes":[{"key":"k"}]}"#

  @Test func `tags of a deleted tree do not match a new one of its name`() throws {
    let tester = try Tester()
    #expect(try tester.send(.post, "/v1/trees", Self.body).status == 201)
    let change = #"{"operations":[{"op":"update","key":"k","object":1}]}"#
    #expect(try tester.send(.post, "/v1/trees/x/batch", change).status == 200)
    let paths = ["", "/nodes/k", "/children", "/nodes/k/children"]
    let tags = try paths.map { try tester.send(.get, "/v1/trees/x\($0)")[.eTag] }
    #expect(tags == Array(repeating: "\"1\"", count: paths.count))
    #expect(try tester.send(.delete, "/v1/trees/x").status == 204)
    let made = try tester.send(.post, "/v1/trees", Self.body)
    #expect(made.status == 201 && made.body.contains(#""revision":2,"#), "\(made.body)")
    for tag in ["\"0\"", "\"1\""] {
      for path in paths {
        let answer = try tester.send(.get, "/v1/trees/x\(path)", "", [(.ifNoneMatch, tag)])
        #expect(answer.status == 200 && answer[.eTag] == "\"2\"", "\(path)")
      }
      let refused = try tester.send(.delete, "/v1/trees/x", "", [(.ifMatch, tag)])
      #expect(refused.code == "revision-mismatch")
    }
    let done = try tester.send(.post, "/v1/trees/x/batch", change)
    #expect(done.body.contains(#""previousRevision":2,"revision":3,"#), "\(done.body)")
    let other = try tester.send(.post, "/v1/trees", #"{"tree":"y"}"#)
    #expect(other.body.contains(#""revision":0,"#), "a new id begins at revision 0")
  }
}

@Suite struct `Sections, search and state` {
  private func sectioned() throws -> Tester {
    try Tester(
      """
      {"sections":["A","B"],"nodes":[{"key":"one","object":{"title":"Pear"}},\
      {"key":"two","section":"B","children":[{"key":"pear tree"}]}],"expansion":"none"}
      """
    )
  }

  @Test func `sections are listed`() throws {
    let tester = try sectioned()
    let answer = try tester.send(.get, "{s}/sections")
    #expect(
      answer.body == """
        [{"section":"A","index":0,"rowCount":1,"offset":0,"rootCount":1,"expanded":true},\
        {"section":"B","index":1,"rowCount":1,"offset":1,"rootCount":1,"expanded":true}]
        """
    )
    #expect(answer[.eTag] == "\"0\"")
    #expect(try Tester().send(.get, "{s}/sections").body == "[]")
    let roots = try tester.send(.get, "{s}/children?section=B&fields=key,section").body
    #expect(roots.hasSuffix(#""childCount":1,"offset":0,"nodes":[{"key":"two","section":"B"}]}"#))
    #expect(try tester.send(.put, "{s}/forest?section=B", "[]").status == 200)
    #expect(try tester.send(.get, "{s}").body.contains(#""nodeCount":1,"#))
    #expect(try tester.send(.put, "{s}/forest?section=C", "[]").code == "section-not-found")
  }

  @Test func `search finds hidden nodes`() throws {
    let tester = try sectioned()
    let first = try tester.send(.get, "{s}/search?q=PEAR&limit=1&fields=key,index")
    #expect(
      first.body == """
        {"session":"S","revision":0,"matches":[{"index":0,"key":"one"}],"next":"one"}
        """
    )
    let rest = try tester.send(.get, "{s}/search?q=pear&after=one&fields=key,index")
    #expect(rest.body.hasSuffix(#""matches":[{"index":null,"key":"pear tree"}],"next":null}"#))
    let byTitle = try tester.send(.get, "{s}/search?q=pear&by=/title&fields=key")
    #expect(byTitle.body.contains(#""matches":[{"key":"one"}]"#))
  }

  @Test(arguments: ["", "?q=", "?q=a&by=title", "?q=a&limit=0", "?q=a&after=", "?q=a&offset=1"])
  func `an invalid search is refused`(query: String) throws {
    let answer = try sectioned().send(.get, "{s}/search" + query)
    let isUnknown = query.contains("after=")
    #expect(answer.code == (isUnknown ? "node-not-found" : "invalid-request"), "\(answer.body)")
  }

  @Test func `a state can create another session`() throws {
    let tester = try sectioned()
    #expect(try tester.send(.post, "{s}/nodes/two/expand").status == 200)
    let state = try tester.send(.get, "{s}/state")
    #expect(state[.eTag] == "\"1\"" && state.body.contains(#""toggledKeys":["two"]"#))
    #expect(try tester.send(.post, "/v1/sessions", "{\"state\":\(state.body)}").status == 201)
  }

  @Test func `a change of options has a change list`() throws {
    let tester = try sectioned()
    let answer = try tester.send(.patch, "{s}", #"{"expansion":"all"}"#)
    #expect(answer.status == 200 && answer.body.contains(#""expansion":"all""#), "\(answer.body)")
    #expect(answer.body.contains(#""changes":[{"type":"insert","key":"pear tree","#))
    for body in [#"{"kind":1}"#, "", "[]", #"{"order":"none"}"#] {
      #expect(try tester.send(.patch, "{s}", body).status == 400)
    }
  }
}

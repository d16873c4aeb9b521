import HTTP
import Testing

@Suite struct `Every route answers` {
  private static let apple = """
    "index":1,"key":"apple","parent":"fruit","depth":1,"position":0,"siblingCount":2,\
    "expanded":false,"childState":"leaf","childCount":0,"visibleDescendantCount":0,\
    "selected":false,"object":null
    """

  @Test(arguments: [
    (
      "{s}",
      """
      {"session":"S","tree":"T","revision":0,"treeRevision":0,"rowCount":10,"nodeCount":11,\
      "selectedCount":0,"sections":[],"access":"write",\
      "expansion":"none","order":"depthFirst","viewSort":null,"filter":null,\
      "selection":"multiple","nestedExpansion":"remember","accordion":false,\
      "idleTimeoutSeconds":604800,"sort":[]}
      """
    ),
    (
      "{s}/rows?offset=1&limit=1",
      """
      {"session":"S","revision":0,"rowCount":10,"offset":1,\
      "ancestors":[{"key":"fruit","index":0,"depth":0}],"rows":[{\(apple)}]}
      """
    ),
    (
      "{s}/rows?around=pear&before=1&after=0&fields=object,key",
      """
      {"session":"S","revision":0,"rowCount":10,"offset":1,"ancestors":\
      [{"key":"fruit","object":{"n":1}}],\
      "rows":[{"key":"apple","object":null},{"key":"pear","object":null}]}
      """
    ),
    (
      "{s}/rows?offset=10",
      """
      {"session":"S","revision":0,"rowCount":10,"offset":10,"ancestors":[],"rows":[]}
      """
    ),
    ("{s}/rows/1", "{\"session\":\"S\",\"revision\":0,\(apple)}"),
    ("{s}/rows/0?fields=object", "{\"session\":\"S\",\"revision\":0,\"object\":{\"n\":1}}"),
    ("{s}/nodes/apple?revision=0", "{\"session\":\"S\",\"revision\":0,\(apple)}"),
    (
      "{s}/nodes/nut?fields=index,parent",
      "{\"session\":\"S\",\"revision\":0,\"index\":null,\"parent\":\"box\"}"
    ),
    (
      "{s}/nodes/fruit/children?offset=1&fields=key",
      """
      {"session":"S","revision":0,"parent":"fruit","childCount":2,"offset":1,\
      "nodes":[{"key":"pear"}]}
      """
    ),
    (
      "{s}/nodes/lazy/children",
      """
      {"session":"S","revision":0,"parent":"lazy","childCount":null,"offset":0,"nodes":[]}
      """
    ),
    (
      "{s}/children?limit=2&fields=key",
      """
      {"session":"S","revision":0,"parent":null,"childCount":8,"offset":0,\
      "nodes":[{"key":"fruit"},{"key":"box"}]}
      """
    ),
    (
      "{s}/nodes/nut/ancestors",
      "{\"session\":\"S\",\"revision\":0,\"ancestors\":[{\"key\":\"box\",\"index\":3,\"depth\":0}]}"
    ),
    (
      "{s}/nodes/nut/ancestors?fields=expanded,object",
      "{\"session\":\"S\",\"revision\":0,\"ancestors\":[{\"expanded\":false,\"object\":null}]}"
    ),
    (
      "{s}/rows?offset=1&limit=1&fields=key&ancestors=0",
      """
      {"session":"S","revision":0,"rowCount":10,"offset":1,"ancestors":[],"rows":[{"key":"apple"}]}
      """
    ),
    ("{s}/nodes/box/ancestors", "{\"session\":\"S\",\"revision\":0,\"ancestors\":[]}"),
    ("/healthz", "{\"status\":\"ok\"}"), ("/readyz", "{\"status\":\"ready\"}"),
  ])
  func `a read is answered, and HEAD alike`(target: String, body: String) throws {
    let tester = try Tester()
    let answer = try tester.send(.get, target)
    #expect(answer.status == 200)
    #expect(answer.body == body)
    #expect(answer[.contentType] == "application/json")
    let head = try tester.send(.head, target)
    #expect(head.fields == answer.fields && head.body == answer.body)
  }

  @Test(arguments: [
    (Method.post, "batch", #"{"operations":[{"op":"remove","key":"pear"}]}"#, 9, "delete"),
    (.put, "nodes/box", #"{"object":2}"#, 10, "update"),
    (.patch, "nodes/box", #"{"a":2}"#, 10, "update"),
    (.delete, "nodes/fruit", "", 7, "delete"),
    (.delete, "nodes/fruit", "no JSON", 7, "delete"),
    (.post, "nodes/apple/move", #"{"parent":null,"first":true}"#, 10, "move"),
    (.post, "nodes/pear/move", "", 10, "move"),
    (.post, "nodes/box/expand", "", 11, "insert"),
    (.post, "nodes/box/expand", #"{"levels":"all"}"#, 11, "insert"),
    (.post, "nodes/fruit/collapse", "{}", 8, "delete"),
    (.post, "nodes/box/toggle", "", 11, "insert"),
    (.post, "nodes/nut/reveal", "", 11, "insert"),
    (.post, "expandAll", "", 11, "insert"),
    (.post, "collapseAll", "{}", 8, "delete"),
  ])
  func `a write is answered with its change list`(
    method: Method,
    path: String,
    body: String,
    rowCount: Int,
    change: String
  ) throws {
    let answer = try Tester().send(method, "{s}/" + path, body)
    #expect(answer.status == 200, "\(answer.body)")
    #expect(answer[.contentType] == "application/json")
    #expect(answer[.eTag] == nil && answer[.location] == nil)
    #expect(answer.body.hasPrefix(#"{"session":"S","previousRevision":0,"revision":1,"#))
    #expect(answer.body.contains("\"rowCount\":\(rowCount),"))
    #expect(answer.body.contains("\"changes\":[{\"type\":\"\(change)\""), "\(answer.body)")
  }

  @Test func `a session is created with or without a body, at its location`() throws {
    for body in ["", "{}"] {
      let tester = try Tester()
      let answer = try tester.send(.post, "/v1/sessions", body)
      #expect(answer.status == 201)
      let place = try #require(answer[.location])
      #expect(place.hasPrefix("/v1/sessions/s_"))
      #expect(try tester.send(.get, place).body == answer.body)
    }
  }

  @Test func `a deleted session is not found`() throws {
    let tester = try Tester()
    let answer = try tester.send(.delete, "{s}", "", [(.accept, "text/html")])
    #expect(answer.status == 204 && answer.body.isEmpty && answer.fields.isEmpty)
    for target in ["{s}", "{s}/rows", "{s}/nodes/box", "{s}/children"] {
      #expect(try tester.send(.get, target).code == "session-not-found")
    }
    #expect(try tester.send(.delete, "{s}").code == "session-not-found")
    #expect(try tester.send(.post, "{s}/expandAll").code == "session-not-found")
  }

  /// Tests `unloaded` in answers. A node whose children failed to load is named again, to retry it.
  @Test(arguments: [("unloaded", true), ("failed", true), ("loading", false)])
  func `expanding a node names it if its children are to be loaded`(
    state: String,
    isNamed: Bool
  ) throws {
    let tester = try Tester()
    _ = try tester.send(.put, "{s}/nodes/lazy/children", "\"\(state)\"")
    for form in ["nodes/lazy/expand", "nodes/lazy/toggle", "expandAll"] {
      let answer = try tester.send(.post, "{s}/\(form)")
      #expect(answer.body.hasSuffix(isNamed ? #""unloaded":["lazy"]}"# : #""unloaded":[]}"#))
      _ = try tester.send(.post, "{s}/collapseAll")
    }
  }

  @Test func `a batch is answered in ranges and with rows on request`() throws {
    let answer = try Tester().send(
      .post,
      "{s}/expandAll?changes=ranges&include=rows&limit=1"
    )
    #expect(answer.body.contains(#""format":"ranges","changes":[{"type":"insert","key":"nut","#))
    #expect(answer.body.contains(#""rows":[{"index":4,"key":"nut","#))
    #expect(answer.body.hasSuffix(#""unloaded":["lazy"]}"#))
    #expect(answer.body.split(separator: "\"rows\":").count == 2)
  }

  @Test func `the description is served`() throws {
    let answer = try Tester().send(.get, "/openapi.yaml", "", [(.accept, "text/html")])
    #expect(answer.status == 200 && answer[.contentType] == "application/yaml")
    #expect(answer.body.hasPrefix("openapi: 3.1"))
  }

  @Test func `OPTIONS names the allowed methods`() throws {
    let tester = try Tester()
    let answer = try tester.send(.options, "{s}/nodes/box")
    #expect(answer.status == 204)
    #expect(answer[.allow] == "GET, HEAD, PUT, PATCH, DELETE, OPTIONS")
    #expect(try tester.send(.options, "*").status == 204)
  }
}

import HTTP
import Testing

@Suite struct `Conditional changes` {
  private static let writes: [(Method, String, String)] = [
    (.post, "{s}/batch", #"{"operations":[{"op":"expandAll"}]}"#),
    (.put, "{s}/nodes/box", ""), (.patch, "{s}/nodes/box", "{}"), (.delete, "{s}/nodes/box", ""),
    (.put, "{s}/nodes/box/children", "[]"), (.put, "{s}/forest", "[]"),
    (.post, "{s}/nodes/box/expand", ""), (.post, "{s}/nodes/box/select", ""),
    (.post, "{s}/clearSelection", ""), (.patch, "{s}", #"{"accordion":true}"#),
  ]

  @Test(arguments: writes, ["\"1\"", "\"00\"", "W/\"0\"", "\"\"", "\"1\", \"2\"", "\"x\""])
  func `If-Match without the current revision refuses the change`(
    write: (Method, String, String),
    tags: String
  ) throws {
    let tester = try Tester()
    let answer = try tester.send(write.0, write.1, write.2, [(.ifMatch, tags)])
    #expect(answer.status == 412 && answer.code == "revision-mismatch", "\(answer.body)")
    #expect(answer.body.contains("\"revision\":0"))
    #expect(try tester.send(.get, "{s}")[.eTag] == "\"0\"")
  }

  @Test(arguments: writes, ["\"0\"", "*", "\"7\", \"0\"", "W/\"1\", \"0\""])
  func `If-Match with the current revision allows the change`(
    write: (Method, String, String),
    tags: String
  ) throws {
    let answer = try Tester().send(write.0, write.1, write.2, [(.ifMatch, tags)])
    #expect(answer.status < 300, "\(answer.body)")
  }

  @Test(arguments: writes, ["\"0\"", "*", "\"7\", \"0\"", "W/\"0\"", "\"0-gzip\""])
  func `If-None-Match with the current revision refuses the change`(
    write: (Method, String, String),
    tags: String
  ) throws {
    let tester = try Tester()
    let answer = try tester.send(write.0, write.1, write.2, [(.ifNoneMatch, tags)])
    #expect(answer.status == 412 && answer.code == "revision-mismatch", "\(answer.body)")
    #expect(try tester.send(.get, "{s}")[.eTag] == "\"0\"")
  }

  @Test(arguments: writes, ["\"1\"", "\"00\"", "\"\"", "W/\"x\", \"7\""])
  func `If-None-Match without the current revision allows the change`(
    write: (Method, String, String),
    tags: String
  ) throws {
    let fields: [(FieldName, String)] = [(.ifNoneMatch, tags), (.ifMatch, "\"0\"")]
    let answer = try Tester().send(write.0, write.1, write.2, fields)
    #expect(answer.status < 300, "\(answer.body)")
  }

  /// Tests RFC 9110, 13.1.1 and 13.1.2: a star refers to the resource at the path.
  @Test(arguments: [(FieldName.ifNoneMatch, false), (.ifMatch, true)])
  func `a star requires a new node or an existing one`(
    name: FieldName,
    wantsNode: Bool
  ) throws {
    for (key, isThere) in [("new", false), ("box", true)] {
      let tester = try Tester()
      let answer = try tester.send(.put, "{s}/nodes/\(key)", #"{"object":1}"#, [(name, "*")])
      let isDone = isThere == wantsNode
      #expect(answer.status == (isDone ? isThere ? 200 : 201 : 412), "\(answer.body)")
      #expect(isDone || answer.code == "revision-mismatch" && answer.body.contains("is there"))
      #expect(try tester.send(.get, "{s}")[.eTag] == (isDone ? "\"1\"" : "\"0\""))
    }
    let both = try Tester()
      .send(.put, "{s}/nodes/new", "", [(.ifMatch, "*"), (.ifNoneMatch, "*")])
    #expect(both.status == 412)
    // A batch is a request to the session, whose revision the condition checks.
    let batch = #"{"operations":[{"op":"insert","key":"new"}]}"#
    let answer = try Tester().send(.post, "{s}/batch", batch, [(name, "*")])
    #expect(answer.status == (wantsNode ? 200 : 412))
  }

  @Test func `a deletion obeys conditions`() throws {
    let tester = try Tester()
    #expect(try tester.send(.post, "/v1/trees", #"{"tree":"x"}"#).status == 201)
    for target in ["/v1/trees/x", "{s}"] {
      for (name, tags) in [(FieldName.ifMatch, "\"1\""), (.ifNoneMatch, "*")] {
        let answer = try tester.send(.delete, target, "", [(name, tags)])
        #expect(answer.status == 412 && answer.code == "revision-mismatch", "\(answer.body)")
      }
      #expect(try tester.send(.delete, target, "", [(.ifMatch, "0")]).status == 400)
      #expect(try tester.send(.get, target).status == 200)
      #expect(try tester.send(.delete, target, "", [(.ifMatch, "\"0\"")]).status == 204)
      #expect(try tester.send(.delete, target, "", [(.ifMatch, "\"0\"")]).status == 404)
    }
  }

  @Test(arguments: writes, ["0", "", "\"0", "\"0\" \"1\"", "*, \"0\""])
  func `an invalid list of tags is refused`(
    write: (Method, String, String),
    tags: String
  ) throws {
    for name in [FieldName.ifMatch, .ifNoneMatch] {
      let answer = try Tester().send(write.0, write.1, write.2, [(name, tags)])
      #expect(answer.code == "invalid-request")
      let detail = "\"detail\":\"\(name) must be * or up to 100 revisions in quotes"
      #expect(answer.body.contains(detail))
    }
    #expect("\(FieldName.ifMatch), \(FieldName.ifNoneMatch)" == "If-Match, If-None-Match")
  }

  @Test func `a tree has its own revisions`() throws {
    let tester = try Tester()
    #expect(try tester.send(.post, "/v1/trees", #"{"tree":"x"}"#).status == 201)
    let body = #"{"operations":[{"op":"insert","key":"a"}]}"#
    for (tags, status) in [("\"1\"", 412), ("\"0\"", 200), ("\"0\"", 412), ("*", 409)] {
      let answer = try tester.send(.post, "/v1/trees/x/batch", body, [(.ifMatch, tags)])
      #expect(answer.status == status, "\(answer.body)")
    }
  }
}

@Suite struct `Repeated requests` {
  private static let key: [(FieldName, String)] = [(.idempotencyKey, "k-1")]
  private static let replayed = FieldName("Idempotency-Replayed")

  @Test(arguments: [
    (Method.post, "{s}/batch", #"{"operations":[{"op":"insert","key":"new"}]}"#, 200),
    (.put, "{s}/nodes/new", "", 201), (.patch, "{s}/nodes/box", #"{"a":1}"#, 200),
    (.delete, "{s}/nodes/box", "", 200), (.post, "{s}/nodes/box/toggle", "", 200),
    (.patch, "{s}", #"{"order":"breadthFirst"}"#, 200),
    (.post, "/v1/sessions", "", 201), (.post, "/v1/trees", "", 201),
    (.delete, "{s}/nodes/none", "", 404), (.put, "{s}/nodes/new", #"{"parent":"none"}"#, 422),
  ])
  func `a repeated request is applied once and has the same answer`(
    method: Method,
    target: String,
    body: String,
    status: Int
  ) throws {
    let tester = try Tester()
    let first = try tester.send(method, target, body, Self.key)
    #expect(first.status == status && first[Self.replayed] == nil, "\(first.body)")
    let revision = try tester.send(.get, "{s}")[.eTag]
    let second = try tester.send(method, target, body, Self.key)
    #expect(second.status == status && second[Self.replayed] == "true", "\(second.body)")
    #expect(second.body == first.body && second[.location] == first[.location])
    #expect(try tester.send(.get, "{s}")[.eTag] == revision)
  }

  @Test(arguments: [
    (Method.post, "{s}/nodes/box/toggle", "{}"), (.post, "{s}/nodes/box/toggle?limit=1", ""),
    (.post, "{s}/nodes/box/expand", ""), (.put, "{s}/nodes/box", ""),
  ])
  func `another request under the same key is refused`(
    method: Method,
    target: String,
    body: String
  ) throws {
    let tester = try Tester()
    #expect(try tester.send(.post, "{s}/nodes/box/toggle", "", Self.key).status == 200)
    let answer = try tester.send(method, target, body, Self.key)
    #expect(answer.status == 422 && answer.code == "idempotency-key-reused")
    #expect(try tester.send(.get, "{s}")[.eTag] == "\"1\"")
  }

  @Test(arguments: ["", "a b", "é", String(repeating: "k", count: 256)])
  func `an invalid idempotency key is refused`(key: String) throws {
    let tester = try Tester()
    for (method, target) in [(Method.post, "{s}/expandAll"), (.post, "/v1/trees")] {
      let answer = try tester.send(method, target, "", [(.idempotencyKey, key)])
      #expect(answer.code == "invalid-request", "\(answer.body)")
    }
    let twice: [(FieldName, String)] = [(.idempotencyKey, "a"), (.idempotencyKey, "a")]
    #expect(try tester.send(.post, "{s}/expandAll", "", twice).code == "invalid-request")
  }

  @Test func `the longest key is accepted, and a dry run is not stored`() throws {
    let tester = try Tester()
    let key = [(FieldName.idempotencyKey, String(repeating: "~", count: 255))]
    #expect(try tester.send(.post, "{s}/expandAll?dryRun=true", "", key).status == 200)
    #expect(try tester.send(.get, "{s}")[.eTag] == "\"0\"")
    let answer = try tester.send(.post, "{s}/collapseAll", "", key)
    #expect(answer.status == 200 && answer[Self.replayed] == nil)
  }
}

import HTTP
import Testing

@Suite struct `Conditional reads` {
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
  func `an unchanged resource is answered with 304`(target: String, tags: String) throws {
    let tester = try Tester()
    for method in [Method.get, .head] {
      let answer = try tester.send(method, target, "", [(.ifNoneMatch, tags)])
      #expect(answer.status == 304 && answer.body.isEmpty)
      #expect(answer.fields == ["Cache-Control: private, no-cache", "ETag: \"0\""])
    }
  }

  @Test(arguments: ["\"1\"", "0", "\"00\"", "\"\"", ""])
  func `another tag gets the whole content`(tags: String) throws {
    let answer = try Tester().send(.get, "{s}/rows", "", [(.ifNoneMatch, tags)])
    #expect(answer.status == 200 && answer[.eTag] == "\"0\"" && !answer.body.isEmpty)
  }

  @Test(arguments: [
    ("{s}/nodes/none", "node-not-found"), ("{s}/rows?revision=1", "revision-changed"),
    ("{s}/rows?x=1", "invalid-request"), ("{s}/rows/99", "range-not-satisfiable"),
    ("/v1/sessions/s_x", "session-not-found"),
  ])
  func `an error takes precedence over conditions`(target: String, code: String) throws {
    let answer = try Tester().send(.get, target, "", [(.ifNoneMatch, "\"0\", *")])
    #expect(answer.code == code)
    #expect(try Tester().send(.get, target, "", [(.ifNoneMatch, "*")]).code == code)
    #expect(try Tester().send(.get, target, "", [(.ifMatch, "\"7\"")]).code == code)
  }

  /// Tests If-Match: it compares strongly (RFC 9110, 13.1.1) and precedes If-None-Match (13.2.2).
  @Test(arguments: reads + ["{s}/changes?since=0"])
  func `a read with a failing If-Match gets 412`(target: String) throws {
    let tester = try Tester()
    for tags in ["\"1\"", "W/\"0\"", "\"00\"", "\"7\", W/\"0\"", "\"x\""] {
      for method in [Method.get, .head] {
        let answer = try tester.send(method, target, "", [(.ifMatch, tags), (.ifNoneMatch, "*")])
        #expect(answer.status == 412 && answer.code == "revision-mismatch", "\(answer.body)")
        #expect(answer.body.contains("\"revision\":0"))
      }
    }
    for tags in ["\"0\"", "*", "\"7\", \"0\"", "\"0-gzip\""] {
      #expect(try tester.send(.get, target, "", [(.ifMatch, tags)]).status == 200)
      let fields: [(FieldName, String)] = [(.ifNoneMatch, "\"0\""), (.ifMatch, tags)]
      #expect(try tester.send(.get, target, "", fields).status == 304)
    }
    for tags in ["0", "", "\"0", "*, \"0\""] {
      #expect(try tester.send(.get, target, "", [(.ifMatch, tags)]).code == "invalid-request")
    }
  }

  @Test(arguments: [
    ("{s}/rows?offset=555", "range-not-satisfiable"), ("{s}/nodes/none", "node-not-found"),
    ("/v1/sessions/none/rows", "session-not-found"),
  ])
  func `an invalid If-Match takes precedence over a missing resource`(
    target: String,
    code: String
  ) throws {
    let tester = try Tester()
    #expect(try tester.send(.get, target).code == code)
    #expect(try tester.send(.get, target, "", [(.ifMatch, "0")]).code == "invalid-request")
  }

  @Test(arguments: ["/v1/trees", "/healthz", "/readyz", "/metrics", "/openapi.yaml"])
  func `a resource without revision fails every tag of If-Match`(target: String) throws {
    let tester = try Tester()
    #expect(try tester.send(.get, target, "", [(.ifMatch, "\"0\"")]).code == "revision-mismatch")
    #expect(try tester.send(.head, target, "", [(.ifMatch, "\"0\"")]).status == 412)
    #expect(try tester.send(.get, target, "", [(.ifMatch, "*")]).status == 200)
  }

  @Test(arguments: ["/v1/trees", "/v1/sessions"])
  func `a creation fails every tag of If-Match`(target: String) throws {
    let tester = try Tester()
    let made = #"{"tree":"x"}"#
    #expect(try tester.send(.post, "/v1/trees", #"{"tree":"y"}"#).status == 201)
    let body = target == "/v1/trees" ? made : #"{"tree":"y"}"#
    #expect(try tester.send(.post, target, body, [(.ifMatch, "\"0\"")]).status == 412)
    #expect(try tester.send(.post, target, body, [(.ifMatch, "0")]).status == 400)
    #expect(try tester.send(.get, "/v1/trees/x").status == 404)
    #expect(try tester.send(.post, target, body, [(.ifMatch, "*")]).status == 201)
  }

  /// Tests RFC 9110, 14.5.
  @Test func `PUT with Content-Range is refused`() throws {
    let tester = try Tester()
    let part = [(FieldName.contentRange, "bytes 0-9/100")]
    for target in ["{s}/nodes/box", "{s}/nodes/box/children", "{s}/forest"] {
      #expect(try tester.send(.put, target, "[]", part).code == "invalid-request")
    }
    #expect(try tester.send(.post, "{s}/nodes/box/expand", "", part).status == 200)
  }

  @Test func `an export, a long poll and a stream check If-Match first`() throws {
    let tester = try Tester()
    #expect(try tester.send(.post, "/v1/trees", #"{"tree":"x"}"#).status == 201)
    let wanted = [(FieldName.ifMatch, "\"1\"")]
    #expect(try tester.send(.get, "/v1/trees/x/export", "", wanted).code == "revision-mismatch")
    #expect(try tester.send(.get, "{s}/changes?since=0&wait=9", "", wanted).status == 412)
    let stream = wanted + [(.accept, "text/event-stream")]
    #expect(try tester.send(.get, "{s}/changes", "", stream).status == 412)
  }

  /// Tests RFC 9110, 13.1.3 to 13.1.5 and 14.2: resources have no dates and no ranges.
  @Test(arguments: reads)
  func `dates, ranges and conditions of ranges are ignored`(target: String) throws {
    let tester = try Tester()
    let whole = try tester.send(.get, target)
    for (name, value) in [
      ("If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT"), ("If-Modified-Since", "yesterday"),
      ("If-Unmodified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"), ("Range", "bytes=0-1"),
      ("If-Range", "\"0\""),
    ] {
      let answer = try tester.send(.get, target, "", [(FieldName(name), value)])
      #expect(answer.status == 200 && answer.body == whole.body && answer.fields == whole.fields)
    }
    let since = (FieldName("If-Modified-Since"), "Thu, 01 Jan 1970 00:00:00 GMT")
    let both = try tester.send(.get, target, "", [since, (.ifNoneMatch, "\"0\"")])
    #expect(both.status == 304)
  }
}

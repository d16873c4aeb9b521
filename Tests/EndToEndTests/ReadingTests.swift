import HTTP
import TestSupport
import Testing

/// Conditional reads, HEAD and OPTIONS.
struct ReadingTests {
  private static let reads = [
    "", "/rows", "/rows?around=pear", "/rows/1", "/nodes/nut", "/nodes/fruit/children",
    "/children", "/nodes/nut/ancestors",
  ]

  @Test(arguments: Reach.allCases)
  func `an unchanged resource is answered with 304`(reach: Reach) throws {
    try Sample.with(reach) { session in
      for path in Self.reads {
        let first = try session.send(Ask(.get, path))
        let tag = try #require(first["ETag"])
        for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
          let again = try session.send(Ask(.get, path, fields: [("If-None-Match", known)]))
          #expect(again.status == 304 && again.body.isEmpty && again["ETag"] == tag)
        }
        try session.apply(#"[{"op":"toggle","key":"box"}]"#)
        let changed = try session.send(Ask(.get, path, fields: [("If-None-Match", tag)]))
        #expect(changed.status == 200 && changed["ETag"] != tag && !changed.body.isEmpty)
      }
    }
  }

  @Test(arguments: Reach.allCases)
  func `a read of an old revision is refused`(reach: Reach) throws {
    try Sample.with(reach) { session in
      try session.apply(#"[{"op":"expand","key":"box"}]"#)
      for path in Self.reads {
        let mark = path.contains("?") ? "&" : "?"
        #expect(try session.get("\(path)\(mark)revision=1").status == 200)
        let answer = try session.send(Ask(.get, "\(path)\(mark)revision=0"))
        try expectProblem(answer, 409, "revision-changed", ["revision": "1"])
      }
    }
  }

  @Test(arguments: Reach.allCases)
  func `HEAD is answered like GET, without the content`(reach: Reach) throws {
    try Sample.with(reach) { session in
      for path in Self.reads + ["/nodes/none", "/rows?offset=99"] {
        let get = try session.send(Ask(.get, path))
        let head = try session.send(Ask(.head, path))
        #expect(head.status == get.status && head.body.isEmpty && !get.body.isEmpty)
        let fields = [get, head].map { answer in
          answer.fields.filter { !["Date", "X-Request-Id"].contains($0.name) }
            .map { "\($0.name): \($0.value)" }
        }
        #expect(fields[0] == fields[1], "\(path)")
      }
    }
  }

  @Test(arguments: Reach.allCases)
  func `OPTIONS and 405 name the allowed methods`(reach: Reach) throws {
    let paths: [(String, HTTP.Method, String)] = [
      ("", .put, "GET, HEAD, PATCH, DELETE, OPTIONS"), ("/rows", .post, "GET, HEAD, OPTIONS"),
      ("/batch", .get, "POST, OPTIONS"), ("/expandAll", .delete, "POST, OPTIONS"),
      ("/nodes/a%2Fb", .post, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"),
      ("/nodes/none/move", .head, "POST, OPTIONS"),
      ("/children", .put, "GET, HEAD, OPTIONS"),
    ]
    try Sample.with(reach) { session in
      for (path, method, allowed) in paths {
        let options = try session.send(Ask(.options, path))
        #expect(options.status == 204 && options["Allow"] == allowed, "\(path)")
        let refused = try session.send(Ask(method, path))
        #expect(refused.status == 405 && refused["Allow"] == allowed, "\(path)")
        if method != .head { try expectProblem(refused, 405, "method-not-allowed") }
      }
    }
  }

  @Test(arguments: Reach.allCases)
  func `the API description and the health are served`(reach: Reach) throws {
    try reach.withAccess { access in
      #expect(try access.send(Ask(.get, "/healthz")).text == #"{"status":"ok"}"#)
      let description = try access.send(Ask(.get, "/openapi.yaml"))
      #expect(description.status == 200 && description.text.hasPrefix("openapi: 3.1"))
    }
  }
}

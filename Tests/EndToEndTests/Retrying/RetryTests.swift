import HTTP
import TestSupport
import Testing

/// Each kind of changing request can be conditional or a dry run, and is applied once however often
/// it is sent.
struct RetryTests {
  @Test(arguments: Reach.allCases, ChangingRequest.ofSessions)
  func `a request to a session is applied once`(reach: Reach, request: ChangingRequest) throws {
    try Sample.with(reach) { session in
      try session.apply(#"[{"op":"select","key":"pear"}]"#)
      let retry = Retry(request: request, place: session.path, access: session.access) {
        try session.state() + [try session.get("/state").body]
      }
      try retry.check(revision: 1)
    }
  }

  @Test(arguments: Reach.allCases, ChangingRequest.ofTrees)
  func `a request to a tree is applied once`(reach: Reach, request: ChangingRequest) throws {
    try reach.withAccess { access in
      let tree = #"{"tree":"t","nodes":[{"key":"a"}]}"#
      #expect(try access.send(Ask(.post, "/v1/trees", tree)).status == 201)
      let retry = Retry(request: request, place: "/v1/trees/t", access: access) {
        try ["/v1/trees/t", "/v1/trees/t/children"].map { try access.send(Ask(.get, $0)).body }
      }
      try retry.check(revision: 0)
    }
  }

  @Test(arguments: Reach.allCases, ["/v1/sessions", "/v1/trees"])
  func `a session or tree is created once`(reach: Reach, place: String) throws {
    try reach.withAccess { access in
      let key = [(name: "Idempotency-Key", value: "k")]
      let body = #"{"nodes":[{"key":"a"}]}"#
      let first = try access.send(Ask(.post, place, body, fields: key))
      #expect(first.status == 201 && first["Idempotency-Replayed"] == nil)
      let made = try #require(first["Location"])
      let again = try access.send(Ask(.post, place, body, fields: key))
      Retry.expectReplay(again, of: first)
      let other = try access.send(Ask(.post, place, #"{"nodes":[{"key":"b"}]}"#, fields: key))
      try expectProblem(other, 422, "idempotency-key-reused")
      let elsewhere = place == "/v1/trees" ? "/v1/sessions" : "/v1/trees"
      let crossed = try access.send(Ask(.post, elsewhere, body, fields: key))
      try expectProblem(crossed, 422, "idempotency-key-reused")
      let trees = try access.send(Ask(.get, "/v1/trees")).json()["trees"]?.elements
      #expect(trees?.count == (place == "/v1/trees" ? 1 : 0))
      #expect(try access.send(Ask(.delete, made)).status == 204)
    }
  }

  /// Requests, each with equivalent forms and with requests that differ.
  private static let forms: [(first: Ask, again: [Ask], others: [Ask])] = [
    (
      Ask(
        .post,
        "/batch?changes=rows&dryRun=false",
        #"{"operations":[{"op":"insert","key":"é"}]}"#
      ),
      [
        Ask(
          .post,
          "/batch?_=1&dryRun=false&changes=rows",
          #"{ "operations" : [ {"key":"\u00e9",  "op":"insert"} ] }"#
        )
      ],
      [
        Ask(.post, "/batch?changes=rows", #"{"operations":[{"op":"insert","key":"é"}]}"#),
        Ask(
          .post,
          "/batch?changes=rows&dryRun=false",
          #"{"operations":[{"op":"insert","key":"e"}]}"#
        ),
        Ask(
          .post,
          "/batch?changes=ranges&dryRun=false",
          #"{"operations":[{"op":"insert","key":"é"}]}"#
        ),
      ]
    ),
    (
      Ask(.patch, "/nodes/box", #"{"a":1,"b":{"c":[1,2],"d":null}}"#),
      [Ask(.patch, "/nodes/b%6Fx?_=2", "{\"b\":{\"d\":null,\"c\":[1.0,2]},\n\"a\":10e-1}\n")],
      [
        Ask(.patch, "/nodes/box", #"{"a":1,"b":{"c":[2,1],"d":null}}"#),
        Ask(.patch, "/nodes/nut", #"{"a":1,"b":{"c":[1,2],"d":null}}"#),
      ]
    ),
    (
      Ask(.delete, "/nodes/box"), [Ask(.delete, "/nodes/box?_=3")],
      [Ask(.delete, "/nodes/box?dryRun=false")]
    ),
  ]

  @Test(arguments: Reach.allCases)
  func `a retry may differ in form, but not in value or query`(
    reach: Reach
  ) throws {
    try Sample.with(reach) { session in
      for (number, form) in Self.forms.enumerated() {
        func send(_ ask: Ask) throws -> Answer {
          var ask = ask
          ask.fields.append((name: "Idempotency-Key", value: "\(number)"))
          return try session.send(ask)
        }
        let first = try send(form.first)
        #expect(first.status == 200 && first["Idempotency-Replayed"] == nil, "\(first.text)")
        for ask in form.again { Retry.expectReplay(try send(ask), of: first) }
        for ask in form.others {
          try expectProblem(try send(ask), 422, "idempotency-key-reused")
        }
      }
    }
  }

  @Test(arguments: Reach.allCases, ["/v1/sessions", "/v1/trees"])
  func `a creation may be repeated in another form`(reach: Reach, place: String) throws {
    try reach.withAccess { access in
      let key = [(name: "Idempotency-Key", value: "k")]
      let body = #"{"nodes":[{"key":"a","object":{"x":1,"y":2}}],"sort":[]}"#
      let first = try access.send(Ask(.post, place, body, fields: key))
      #expect(first.status == 201, "\(first.text)")
      let form = #"{"sort":[ ], "nodes":[{"object":{"y":2,"x":1},"key":"\u0061"}]}"#
      Retry.expectReplay(try access.send(Ask(.post, place, form, fields: key)), of: first)
      let other = try access.send(
        Ask(.post, place, form.replacing("2", with: "3"), fields: key)
      )
      try expectProblem(other, 422, "idempotency-key-reused")
    }
  }

  @Test(arguments: Reach.allCases)
  func `the refusal of a creation is replayed`(reach: Reach) throws {
    try reach.withAccess { access in
      let key = [(name: "Idempotency-Key", value: "k")]
      let tree = #"{"tree":"t"}"#
      #expect(try access.send(Ask(.post, "/v1/trees", tree)).status == 201)
      let first = try access.send(Ask(.post, "/v1/trees", tree, fields: key))
      try expectProblem(first, 409, "tree-exists")
      #expect(try access.send(Ask(.delete, "/v1/trees/t")).status == 204)
      Retry.expectReplay(try access.send(Ask(.post, "/v1/trees", tree, fields: key)), of: first)
    }
  }

  @Test(arguments: Reach.allCases)
  func `a refusal by the tree is replayed, one of the message is not`(
    reach: Reach
  ) throws {
    try Sample.with(reach) { session in
      let key = [(name: "Idempotency-Key", value: "k")]
      let removal = Ask(.delete, "/nodes/later", fields: key)
      let first = try session.send(removal)
      try expectProblem(first, 404, "node-not-found")
      try session.apply(#"[{"op":"insert","key":"later"}]"#)
      Retry.expectReplay(try session.send(removal), of: first)
      #expect(try session.get("/nodes/later").status == 200)

      let next = [(name: "Idempotency-Key", value: "l")]
      let damaged = try session.send(Ask(.put, "/nodes/x", "{", fields: next))
      try expectProblem(damaged, 400, "malformed-json")
      var stale = Ask(.put, "/nodes/x", "{}", fields: next)
      stale.fields.append(("If-Match", "\"0\""))
      try expectProblem(try session.send(stale), 412, "revision-mismatch", ["revision": "1"])
      #expect(try session.send(Ask(.put, "/nodes/x", "{}", fields: next)).status == 201)
    }
  }

  @Test(arguments: Reach.allCases)
  func `the refusal of an import is replayed`(reach: Reach) throws {
    try reach.withAccess { access in
      #expect(try access.send(Ask(.post, "/v1/trees", #"{"tree":"t"}"#)).status == 201)
      let fields = [
        (name: "Idempotency-Key", value: "k"),
        (name: "Content-Type", value: "application/x-ndjson"),
      ]
      let lines = Ask(
        .post,
        "/v1/trees/t/import",
        "{\"key\":\"a\"}\n{\"key\":\"b\",\"parent\":\"p\"}",
        fields: fields
      )
      let first = try access.send(lines)
      try expectProblem(first, 422, "parent-not-found", ["line": "2"])
      let insertion = #"{"operations":[{"op":"insert","key":"p"}]}"#
      #expect(try access.send(Ask(.post, "/v1/trees/t/batch", insertion)).status == 200)
      Retry.expectReplay(try access.send(lines), of: first)
    }
  }

  @Test(
    arguments: Reach.allCases,
    ["", "a b", String(repeating: "k", count: 256), "\u{e9}"]
  )
  func `an invalid idempotency key is refused`(reach: Reach, key: String) throws {
    try Sample.with(reach) { session in
      let fields = [(name: "Idempotency-Key", value: key)]
      let answer = try session.send(Ask(.post, "/expandAll", fields: fields))
      try expectProblem(answer, 400, "invalid-request")
      #expect(try session.read("")["revision"]?.integer == 0)
    }
  }
}

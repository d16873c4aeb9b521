import HTTP
import TestSupport
import Testing
import TreeDomain

/// Objects in every request that can carry one: all accept the same objects.
struct ObjectWaysTests {
  private static let limit = DecodingLimits().maxJSONDepth

  /// A request with an object for the node `a`, which exists unless the request creates it.
  struct ObjectRequest: CustomTestStringConvertible {
    let method: HTTP.Method
    /// The path behind that of the session, or a full path if it begins with `/v1`.
    let path: String
    let before: String
    let after: String
    var testDescription: String { "\(method.rawValue) \(path) \(before)" }

    init(_ method: HTTP.Method, _ path: String, _ before: String = "", _ after: String = "") {
      (self.method, self.path, self.before, self.after) = (method, path, before, after)
    }

    func ask(_ object: String, session: String) -> Ask {
      let path = path.hasPrefix("/v1") ? path : session + path
      let isImport = path.hasSuffix("/import")
      let type = isImport ? [("Content-Type", "application/x-ndjson")] : []
      return Ask(method, path, before + object + after, fields: type)
    }

    /// All requests. The last ones have unusual forms, which the fast decoding path does not read.
    static let all = [
      ObjectRequest(.put, "/nodes/a", #"{"object":"#, "}"),
      ObjectRequest(.patch, "/nodes/a"),
      ObjectRequest(.put, "/nodes/a/children", #"[{"key":"b","object":"#, "}]"),
      ObjectRequest(.put, "/forest", #"[{"key":"a","children":[{"key":"b","object":"#, "}]}]"),
      ObjectRequest(
        .post,
        "/batch",
        #"{"operations":[{"op":"insert","key":"b","parent":null,"object":"#,
        "}]}"
      ),
      ObjectRequest(.post, "/batch", #"{"operations":[{"op":"update","key":"a","object":"#, "}]}"),
      ObjectRequest(.post, "/batch", #"{"operations":[{"op":"update","key":"a","merge":"#, "}]}"),
      ObjectRequest(
        .post,
        "/v1/trees/t/batch",
        #"{"operations":[{"op":"setChildren","key":"a","children":[{"key":"b","object":"#,
        "}]}]}"
      ),
      ObjectRequest(.post, "/v1/trees", #"{"tree":"u","nodes":[{"key":"a","object":"#, "}]}"),
      ObjectRequest(.post, "/v1/sessions", #"{"nodes":[{"key":"a","object":"#, "}]}"),
      ObjectRequest(.post, "/v1/trees/t/import", #"{"key":"b","object":"#, "}"),
      ObjectRequest(.post, "/v1/trees/t/import", #"{ "key":"b" , "\u006fbject": "#, " }"),
      ObjectRequest(
        .post,
        "/batch",
        #"{"operations":[{"\u006fp":"update", "key":"a", "object": "#,
        " }]}"
      ),
      ObjectRequest(
        .put,
        "/nodes/a/children",
        #"[{"children":[{ "key":"b" , "object": "#,
        #"}],"key":"c"}]"#
      ),
    ]
  }

  private func serve(_ body: (SocketAccess, RemoteSession) throws -> Void) throws {
    try withServer { port in
      let access = SocketAccess(port: port)
      let tree = #"{"tree":"t","nodes":[{"key":"a","object":{"a":1}}]}"#
      #expect(try access.send(Ask(.post, "/v1/trees", tree)).status == 201)
      try body(access, RemoteSession(access, #"{"tree":"t"}"#))
    }
  }

  private static func nested(_ depth: Int) -> [String] {
    [
      String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth),
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth),
      #"{"a": "# + String(repeating: "[ ", count: depth - 1)
        + String(repeating: "]", count: depth - 1) + "}",
    ]
  }

  @Test(arguments: ObjectRequest.all)
  func `an object as deep as the limit is accepted, and a deeper one refused`(
    request: ObjectRequest
  ) throws {
    for object in Self.nested(Self.limit) {
      try serve { access, session in
        let answer = try access.send(request.ask(object, session: session.path))
        #expect(answer.status == 200 || answer.status == 201, "\(answer.text.prefix(300))")
      }
    }
    try serve { access, session in
      let state = try session.state()
      for object in Self.nested(Self.limit + 1) {
        let answer = try access.send(request.ask(object, session: session.path))
        #expect(answer.status == 400, "\(answer.text.prefix(300))")
        #expect(try answer.json()["limit"]?.integer == Self.limit)
        #expect(try session.state() == state)
      }
    }
  }

  @Test func `an exported object can be imported, and sent in every request`() throws {
    for object in Self.nested(Self.limit) {
      try serve { access, session in
        #expect(
          try access.send(ObjectRequest.all[0].ask(object, session: session.path)).status == 200
        )
        let exported = try access.send(Ask(.get, "/v1/trees/t/export")).body
        #expect(try access.send(Ask(.post, "/v1/trees", #"{"tree":"copy"}"#)).status == 201)
        let type = [("Content-Type", "application/x-ndjson")]
        let ask = Ask(.post, "/v1/trees/copy/import", exported, fields: type)
        #expect(try access.send(ask).status == 200)
        #expect(try access.send(Ask(.get, "/v1/trees/copy/export")).body == exported)
        let read = try #require(try session.read("/nodes/a")["object"]?.text)
        #expect(read == object)
        for request in ObjectRequest.all {
          let answer = try access.send(request.ask(read, session: session.path))
          // Some requests create `b` or `u`, which may exist by then.
          #expect([200, 201, 409].contains(answer.status), "\(answer.text.prefix(300))")
        }
      }
    }
  }

  @Test func `an imported copy has the same bytes, except for line breaks between tokens`()
    throws
  {
    let objects = [
      #"{"a" : 1.0,"b":1e400,"a":[ ]}"#, "[1,\t2 ]", #""a\nb\u000d""#, "{\"a\":\r\n[1,\n\n2]}",
      "\"\u{2028}\"",
      "-0", "[\n]",
    ]
    try serve { access, session in
      for (number, object) in objects.enumerated() {
        let put = Ask(.put, "/nodes/\(number)", #"{"object":\#(object)}"#)
        #expect(try session.send(put).status == 201)
      }
      let exported = try access.send(Ask(.get, "/v1/trees/t/export")).body
      #expect(try access.send(Ask(.post, "/v1/trees", #"{"tree":"copy"}"#)).status == 201)
      let type = [("Content-Type", "application/x-ndjson")]
      let ask = Ask(.post, "/v1/trees/copy/import", exported, fields: type)
      #expect(try access.send(ask).status == 200)
      let copy = try RemoteSession(access, #"{"tree":"copy"}"#)
      for (number, object) in objects.enumerated() {
        let imported = try #require(try copy.read("/nodes/\(number)")["object"])
        #expect(imported.bytes == JSONText.onOneLine(Array(object.utf8)))
        #expect(imported.compactBytes == (try RawJSON(parsing: object).compactBytes))
      }
    }
  }
}

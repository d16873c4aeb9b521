import HTTP
import Testing
import TreeAPI

@Suite struct `Media types` {
  private static let batch = #"{"operations":[]}"#

  @Test(arguments: [
    ("application/json", true), ("*/*", true), ("application/*", true), ("", true),
    ("APPLICATION/JSON", true), ("text/html, application/json;q=0.1", true),
    ("text/html, */*; q=0.01", true), ("application/json; charset=utf-8", true),
    ("application/*;q=0, application/json", true), ("nonsense", true),
    ("application/json;q=0, application/json;q=1", true),
    ("text/html", false), ("application/json;q=0", false), ("*/*;q=0", false),
    ("application/json; Q=0.000, */*", false), ("application/*;q=0, */*", false),
    ("application/problem+json", false), ("text/*, image/png;q=0.5", false),
    (#"text/html;x=",application/json,""#, false), (#"text/html;x="\",application/json,""#, false),
    (#"application/json;x=";q=0""#, true), (#"text/html;x="a", application/json"#, true),
  ])
  func `Accept with quality values chooses the answer`(accept: String, isFine: Bool) throws {
    let tester = try Tester()
    let read = try tester.send(.get, "{s}/rows", "", [(.accept, accept)])
    #expect(read.status == (isFine ? 200 : 406))
    #expect(read.code == (isFine ? nil : "not-acceptable"))
    let write = try tester.send(.post, "{s}/nodes/box/expand", "", [(.accept, accept)])
    #expect(write.status == (isFine ? 200 : 406))
    let revision = isFine ? "\"1\"" : "\"0\""
    #expect(try tester.send(.get, "{s}")[.eTag] == revision, "a refused write changes nothing")
  }

  @Test(arguments: ["{s}/none", "{s}/nodes/none"])
  func `an error is sent regardless of Accept`(target: String) throws {
    let fields: [(FieldName, String)] = [(.accept, "application/json")]
    #expect(try Tester().send(.get, target, "", fields).status == 404)
  }

  @Test(arguments: [
    ("application/json", true), ("Application/JSON", true),
    ("application/json;charset=UTF-8", true),
    ("application/json ; charset=\"utf-8\"", true), ("application/json; x=y", true),
    ("application/json;charset=latin1", false), ("text/json", false), ("application/jsonx", false),
    ("application/x-www-form-urlencoded", false), ("text/plain", false), ("", false),
    ("application/merge-patch+json", false), ("application/json, text/plain", false),
  ])
  func `a body needs the type of JSON`(type: String, isFine: Bool) throws {
    let answer = try Tester().send(.post, "{s}/batch", Self.batch, [(.contentType, type)])
    #expect(answer.status == (isFine ? 200 : 415))
    guard !isFine else { return }
    #expect(answer.code == "unsupported-media-type")
    #expect(answer[.accept] == "application/json")
    #expect(answer.member("detail")?.contains("--json") == true)
  }

  @Test(arguments: ["text/plain", "application/json"])
  func `a repeated content type is refused`(second: String) throws {
    for types in [["application/json", second], [second, "application/json"]] {
      let fields = types.map { (FieldName.contentType, $0) }
      #expect(try Tester().send(.post, "{s}/batch", Self.batch, fields).status == 415)
    }
  }

  @Test(arguments: ["application/merge-patch+json", "application/json"])
  func `a patch may have the type of a merge patch`(type: String) throws {
    let answer = try Tester().send(.patch, "{s}/nodes/box", "{}", [(.contentType, type)])
    #expect(answer.status == 200)
    let refused = try Tester().send(.patch, "{s}/nodes/box", "{}", [(.contentType, "text/plain")])
    #expect(refused[.accept] == "application/merge-patch+json, application/json")
    #expect(refused[.acceptPatch] == refused[.accept])
  }

  @Test func `Accept-Patch is sent for paths with PATCH only`() throws {
    let tester = try Tester()
    for target in ["{s}", "{s}/nodes/box"] {
      let answer = try tester.send(.options, target)
      #expect(answer[.acceptPatch] == "application/merge-patch+json, application/json")
    }
    for target in ["{s}/batch", "/v1/trees", "*"] {
      #expect(try tester.send(.options, target)[.acceptPatch] == nil)
    }
    let batch = try tester.send(.post, "{s}/batch", Self.batch, [(.contentType, "text/plain")])
    #expect(batch.status == 415 && batch[.acceptPatch] == nil)
  }

  @Test func `a body without a type is refused, and no body needs no type`() throws {
    let tester = try Tester()
    let request = try Request(method: .post, target: "/v1/sessions", body: Array("{}".utf8))
    #expect(try tester.api.answer(to: request).status == .unsupportedMediaType)
    let fields: [(FieldName, String)] = [(.contentType, "application/x-www-form-urlencoded")]
    #expect(try tester.send(.post, "/v1/sessions", "", fields).status == 201)
  }

  @Test func `a compressed body is refused`() throws {
    let tester = try Tester()
    for (coding, status) in [
      ("gzip", 415), ("identity", 200), ("identity, br", 415), ("br,identity", 415), ("", 200),
      ("identity, Identity", 200), (", identity ,,", 200), ("identity;q=1", 415),
    ] {
      let answer = try tester.send(
        .post,
        "{s}/batch",
        Self.batch,
        [(.contentEncoding, coding)]
      )
      #expect(answer.status == status, "\(coding)")
      #expect(answer[.acceptEncoding] == (status == 415 ? "identity" : nil))
    }
  }
}

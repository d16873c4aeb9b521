import HTTP
import Testing
import TreeAPI
import TreeDomain
import TreeSessions

@Suite struct `Import and export` {
  private static let lines = """
    {"key":"fruit","object":{"n":1},"children":[]}
    {"key":"apple","parent":"fruit"}
    {"key":"lazy","children":"unloaded","childCount":3}

    """

  /// Creates a service with a tree `x`, empty by default.
  private func service(
    _ options: TreeAPIOptions = TreeAPIOptions(),
    nodes: String = "[]"
  ) throws -> Tester {
    let tester = try Tester(options: options)
    let made = try tester.send(.post, "/v1/trees", #"{"tree":"x","nodes":\#(nodes)}"#)
    try #require(made.status == 201)
    return tester
  }

  /// Returns the receiver of an import.
  private func receiver(
    _ tester: Tester,
    _ target: String = "/v1/trees/x/import",
    type: String = "application/x-ndjson",
    fields: [(FieldName, String)] = []
  ) throws -> any BodyReceiver {
    let fields = fields + [(FieldName.contentType, type)]
    let receiver = tester.api.receiver(for: try tester.request(.post, target, "", fields))
    return try #require(receiver)
  }

  private func finish(_ receiver: any BodyReceiver, _ tester: Tester) throws -> Answer {
    guard case .response(let response) = receiver.finish() else { throw Unexpected.lateAnswer }
    return tester.text(of: response)
  }

  /// Returns the whole content of an export.
  private func export(_ tester: Tester) throws -> String {
    let listener = try tester.listen("/v1/trees/x/export")
    var bytes = try listener.beginning().body
    while case .chunk(let piece) = listener.step() { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `an import in any two parts is the same, and its export matches`() throws {
    let bytes = Array(Self.lines.utf8)
    for cut in 1..<bytes.count {
      let tester = try service()
      let receiver = try receiver(tester)
      #expect(receiver.begin() == nil)
      for part in [bytes[..<cut], bytes[cut...]] {
        let refusal = receiver.receive(part)
        #expect(refusal == nil, "cut at \(cut)")
      }
      let answer = try finish(receiver, tester)
      #expect(answer.status == 200, "cut at \(cut): \(answer.body)")
      let counts = #""previousRevision":0,"revision":1,"nodeCount":3,"applied":3}"#
      #expect(answer.body == #"{"tree":"x",\#(counts)"#)
      if cut == 1 { #expect(try export(tester) == Self.exported) }
    }
  }

  private static let exported = """
    {"key":"fruit","object":{"n":1}}
    {"key":"apple","parent":"fruit"}
    {"key":"lazy","children":"unloaded","childCount":3}

    """

  @Test(arguments: [
    ("/v1/trees/x/import", "application/json", 415), ("/v1/trees/x/import", "", 415),
    ("/v1/trees/y/import", "application/x-ndjson", 404),
    ("/v1/trees/x/import?limit=1", "application/x-ndjson", 400),
    ("/v1/trees/%20/import", "application/x-ndjson", 404),
  ])
  func `an import with an invalid head is refused before its content`(
    target: String,
    type: String,
    status: Int
  ) throws {
    let receiver = try receiver(try service(), target, type: type)
    #expect(receiver.begin()?.status.code == status)
  }

  @Test func `lines that are sent as bytes are imported`() throws {
    let tester = try service()
    let receiver = try receiver(tester, type: "application/octet-stream")
    #expect(receiver.begin() == nil)
    #expect(receiver.receive(Array(Self.lines.utf8)[...]) == nil)
    #expect(try finish(receiver, tester).status == 200)
    #expect(try export(tester) == Self.exported)
  }

  @Test func `only imports are received as a stream`() throws {
    let tester = try service()
    for target in ["{s}/batch", "/v1/trees", "/v1/trees/x/batch"] {
      #expect(tester.api.receiver(for: try tester.request(.post, target)) == nil)
    }
  }

  @Test(arguments: [
    ("{\"key\":\"a\"}\n{\"key\":\n", 400, "malformed-json", 2),
    ("{\"key\":\"a\"}\n\n{\"kye\":\"b\"}\n", 400, "invalid-request", 3),
  ])
  func `a line that cannot be decoded ends the import`(
    text: String,
    status: Int,
    code: String,
    line: Int
  ) throws {
    let tester = try service()
    let receiver = try receiver(tester)
    let answer = tester.text(of: try #require(receiver.receive(Array(text.utf8)[...])))
    #expect(answer.status == status && answer.code == code)
    #expect(answer.body.contains("\"line\":\(line)"))
  }

  @Test(arguments: [
    ("{\"key\":\"a\"}\n{\"key\":\"a\"}", 409, "duplicate-key", 2),
    ("{\"key\":\"a\"}\n{\"key\":\"b\",\"parent\":\"c\"}", 422, "parent-not-found", 2),
    ("{\"key\":\"a\"}\n{\"key\":\"b\"", 400, "malformed-json", 2),
  ])
  func `a line that the tree refuses rolls back the import`(
    text: String,
    status: Int,
    code: String,
    line: Int
  ) throws {
    let tester = try service()
    let fields: [(FieldName, String)] = [(.contentType, "application/x-ndjson")]
    let answer = try tester.send(.post, "/v1/trees/x/import", text, fields)
    #expect(answer.status == status && answer.code == code, "\(answer.body)")
    #expect(answer.body.contains("\"line\":\(line)"), "\(answer.body)")
    #expect(try tester.send(.get, "/v1/trees/x").body.contains(#""revision":0,"nodeCount":0,"#))
  }

  @Test func `an import has its own limits`() throws {
    var options = TreeAPIOptions()
    options.maxImportBytes = 77
    options.maxImportNodes = 2
    let tester = try service(options)
    let receiver = try receiver(tester)
    #expect(receiver.maxBytes == 77)
    let refusal = receiver.receive(Array(Self.lines.utf8)[...])
    let answer = tester.text(of: try #require(refusal))
    #expect(answer.status == 413 && answer.body.contains(#""limit":2"#), "\(answer.body)")
  }

  @Test func `running imports share a memory limit`() throws {
    let bytes = Array(Self.lines.utf8)[...]
    var options = TreeAPIOptions()
    var decoder = ImportDecoder()
    try decoder.feed(Array(bytes))
    // The decoded form of small nodes takes more memory than their text.
    #expect(decoder.heldBytes > bytes.count)
    options.maxHeldImportBytes = 2 * decoder.heldBytes
    let tester = try service(options)
    var receivers = [try receiver(tester), try receiver(tester)]
    for receiver in receivers { #expect(receiver.receive(bytes) == nil) }
    let refusal = try receiver(tester).receive(Array("{\"key\":\"a\"}\n".utf8)[...])
    let answer = tester.text(of: try #require(refusal))
    #expect(answer.status == 503 && answer.code == "overloaded" && answer[.retryAfter] == "1")
    receivers.removeLast().cancel()
    let next = try receiver(tester)
    #expect(next.receive(bytes) == nil)
    #expect(try finish(receivers.removeLast(), tester).status == 200)
    #expect(try receiver(tester).receive(bytes) == nil)
  }

  @Test func `a repeated import is applied once`() throws {
    let tester = try service()
    let key: [(FieldName, String)] = [(.idempotencyKey, "k")]
    var answers: [Answer] = []
    let spaced = "\n" + Self.lines.replacing(",", with: " , ").replacing(":", with: ": ") + "\n"
    for text in [Self.lines, spaced, Self.lines + "{\"key\":\"more\"}\n"] {
      let receiver = try receiver(tester, fields: key)
      #expect(receiver.receive(Array(text.utf8)[...]) == nil)
      answers.append(try finish(receiver, tester))
    }
    #expect(answers.map(\.status) == [200, 200, 422])
    #expect(answers[1][FieldName("Idempotency-Replayed")] == "true")
    #expect(answers[1].body == answers[0].body)
    #expect(answers[2].code == "idempotency-key-reused")
  }

  @Test func `an import without content inserts no nodes`() throws {
    let answer = try service().send(.post, "/v1/trees/x/import")
    #expect(answer.status == 200 && answer.body.hasSuffix(#""applied":0}"#), "\(answer.body)")
  }

  @Test func `an object on several lines is exported on one`() throws {
    let tester = try service(nodes: "[{\"key\":\"a\",\"object\":[1,\r\n\"\\n\"]}]")
    #expect(try export(tester) == "{\"key\":\"a\",\"object\":[1,  \"\\n\"]}\n")
  }

  @Test func `an export has one revision and supports If-None-Match`() throws {
    let tester = try service(nodes: #"[{"key":"a"},{"key":"b"}]"#)
    let listener = try tester.listen("/v1/trees/x/export")
    let head = tester.text(of: try listener.beginning())
    #expect(head.status == 200 && head[.eTag] == "\"0\"")
    #expect(head[.contentType] == "application/x-ndjson")
    let body = #"{"operations":[{"op":"remove","key":"b"}]}"#
    #expect(try tester.send(.post, "/v1/trees/x/batch", body).status == 200)
    #expect(try listener.chunk() == "{\"key\":\"a\"}\n{\"key\":\"b\"}\n")
    #expect(listener.hasEnded())
    let known = try tester.send(.get, "/v1/trees/x/export", "", [(.ifNoneMatch, "\"1\"")])
    #expect(known.status == 304 && known[.eTag] == "\"1\"" && known[.contentType] == nil)
    #expect(try tester.send(.get, "/v1/trees/y/export").code == "tree-not-found")
    let refused = try tester.send(.get, "/v1/trees/x/export", "", [(.accept, "text/html")])
    #expect(refused.status == 406)
  }
}

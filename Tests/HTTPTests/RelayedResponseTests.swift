import Testing

@testable import HTTP

/// Responses whose head another server wrote.
@Suite struct `A relayed response` {
  private static let fields: Fields = {
    var fields = Fields()
    fields.append(FieldName("Date"), "Thu, 01 Jan 1970 00:00:00 GMT")
    fields.append(FieldName("X-Request-Id"), "theirs")
    fields.append(.contentType, "text/plain")
    return fields
  }()
  private static let lines =
    "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\nX-Request-Id: theirs\r\nContent-Type: text/plain\r\n"

  private static func response(_ length: Int?, _ body: String = "") -> Response {
    var response = Response(.ok, fields: fields, body: Array(body.utf8))
    response.origin = .relayed(length: length)
    return response
  }

  private static func output(_ steps: LateStep..., to request: String) -> Exchange {
    var exchange = Exchange()
    exchange.handle = { _ in
      let answer = ScriptedAnswer()
      for step in steps { answer.append(step) }
      return .later(answer)
    }
    exchange.feed(request)
    return exchange
  }

  private static let get = "GET / HTTP/1.1\r\n\(host)\r\n"
  private static let head = "HEAD / HTTP/1.1\r\n\(host)\r\n"

  @Test func `gets no field but those about its framing`() {
    let exchange = Self.output(.answer(Self.response(4, "text")), to: Self.get)
    let expected = "HTTP/1.1 200 OK\r\n\(Self.lines)Content-Length: 4\r\n\r\ntext"
    #expect(String(text: exchange.output[...]) == expected)
    #expect(exchange.records.first?.id == .given(Array("theirs".utf8)))
  }

  @Test func `announces the length of what HEAD leaves out`() {
    let known = Self.output(.answer(Self.response(4)), to: Self.head)
    #expect(
      String(text: known.output[...])
        == "HTTP/1.1 200 OK\r\n\(Self.lines)Content-Length: 4\r\n\r\n"
    )
    let unknown = Self.output(.answer(Self.response(nil)), to: Self.head)
    #expect(String(text: unknown.output[...]) == "HTTP/1.1 200 OK\r\n\(Self.lines)\r\n")
  }

  @Test func `is a stream of known length without chunks`() {
    let exchange = Self.output(
      .begin(Self.response(6, "ab")),
      .chunk(Array("cdef".utf8)),
      .end,
      to: Self.get + Self.get
    )
    let one = "HTTP/1.1 200 OK\r\n\(Self.lines)Content-Length: 6\r\n\r\nabcdef"
    #expect(String(text: exchange.output[...]).hasPrefix(one + "HTTP/1.1 200 OK\r\n"))
  }

  @Test func `is a stream of unknown length in chunks`() {
    let exchange = Self.output(.begin(Self.response(nil, "ab")), .end, to: Self.get)
    #expect(
      String(text: exchange.output[...])
        == "HTTP/1.1 200 OK\r\n\(Self.lines)Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"
    )
  }

  @Test func `that is cut off resets the connection`() {
    let exchange = Self.output(.begin(Self.response(nil, "ab")), .abort, to: Self.get)
    #expect(exchange.isReset && String(text: exchange.output[...]).hasSuffix("2\r\nab\r\n"))
    #expect(exchange.records.map(\.isComplete) == [false])
  }

  @Test func `passes on neither fields of the connection nor those it names`() {
    var fields = Fields()
    for (name, value) in [
      ("Connection", "keep-alive, X-Own"), ("Keep-Alive", "5"), ("x-own", "1"), ("ETag", "\"1\""),
      ("transfer-encoding", "chunked"), ("Content-Length", "5"), ("Vary", "Accept"), ("TE", "x"),
    ] { fields.append(FieldName(name), value) }
    let kept = fields.passedOn
    #expect((0..<kept.count).map { String(text: kept.name(at: $0)) } == ["ETag", "Vary"])
  }
}

import Testing

@testable import HTTP

@Suite struct CommonFieldsTests {
  private func ids(_ text: String) -> [String] {
    text.split(separator: "\r\n").filter { $0.hasPrefix("X-Request-Id: ") }.map {
      String($0.dropFirst(14))
    }
  }

  private let host = "Host: localhost\r\n"

  @Test func `every response has a unique request id`() {
    var exchange = Exchange()
    exchange.feed("GET /a HTTP/1.1\r\n\(host)\r\nHEAD / HTTP/1.1\r\n\(host)\r\n")
    exchange.handle = { _ in .later(ScriptedAnswer(.answer(Response(.ok)))) }
    exchange.feed("GET /late HTTP/1.1\r\n\(host)\r\n")
    exchange.handle = { _ in .later(ScriptedAnswer(.begin(Response(.ok)), .end)) }
    exchange.feed("GET /stream HTTP/1.1\r\n\(host)\r\n")
    exchange.feed("BREW / HTTP/1.1\r\n\(host)\r\n")
    exchange.feed("GET / HTTP/1.1\r\nHost: else\r\n\r\n")
    exchange.feed("GET  / HTTP/1.1\r\n")
    let found = ids(exchange.answerText)
    #expect(exchange.statuses == [200, 200, 200, 200, 501, 421, 400])
    #expect(found.count == 7 && Set(found).count == 7)
    #expect(found.allSatisfy { $0.utf8.count == 16 && UInt64($0, radix: 16) != nil })
    #expect(exchange.records.map(\.id) == found.map { .made(UInt64($0, radix: 16) ?? 0) })
  }

  @Test func `the id that a client gives applies to one request`() {
    var exchange = Exchange()
    exchange.feed(
      "GET /a HTTP/1.1\r\n\(host)x-request-id: one-1\r\nX-Request-Id: two\r\n\r\n"
        + "GET /a HTTP/1.1\r\n\(host)\r\n" + "POST / HTTP/2.0\r\nX-Request-Id: x\r\n"
    )
    let found = ids(exchange.answerText)
    #expect(found.count == 3 && found.first == "one-1" && Set(found).count == 3)
    #expect(exchange.records.first?.id == .given(Array("one-1".utf8)))
  }

  @Test(arguments: ["", "a b", "\u{e9}", String(repeating: "x", count: 129), "a\tb"])
  func `an invalid request id is replaced`(value: String) {
    var exchange = Exchange()
    exchange.feed("GET /a HTTP/1.1\r\n\(host)X-Request-Id: \(value)\r\n\r\n")
    #expect(exchange.statuses == [200])
    #expect(ids(exchange.answerText).first?.utf8.count == 16)
  }

  @Test func `a request id of maximum length is accepted`() {
    let id = String(repeating: "~", count: 128)
    var exchange = Exchange()
    exchange.feed("GET /a HTTP/1.1\r\n\(host)X-Request-Id: \(id)\r\n\r\n")
    #expect(ids(exchange.answerText) == [id])
  }

  @Test func `a connection that is turned away gets the common fields`() throws {
    var exchange = Exchange(crossOrigin: try Self.policy())
    exchange.state.turnAway(with: Response(.serviceUnavailable))
    exchange.run()
    let id = try #require(ids(exchange.answerText).first)
    #expect(UInt64(id, radix: 16) != nil)
    for line in ["Date: ", "Vary: Origin\r\n", "Connection: close\r\n", "X-Content-Type-O"] {
      #expect(exchange.answerText.contains("\r\n" + line))
    }
  }

  private static let origin = "Origin: https://a.example\r\n"

  private static func policy() throws -> CrossOriginPolicy {
    CrossOriginPolicy(origins: try WebOrigins(list: "https://a.example"), exposing: [.eTag])
  }

  /// Refused heads, with a flag that the fields before the fault apply to the response.
  private static let refusedHeads: [(head: String, status: Int, isKnown: Bool)] = [
    ("GET / HTTP/1.1\r\n\(named)Host: a b\r\n", 400, true),
    ("GET / HTTP/1.1\r\nHost: a b\r\n\(named)", 400, false),
    ("GET / HTTP/1.1\r\n\(named)\r\n", 400, true),
    ("GET /# HTTP/1.1\r\n\(named)Host: a\r\n\r\n", 400, true),
    ("GET / HTTP/1.1\r\n\(named)A: \(String(repeating: "a", count: 40_000))", 431, true),
    ("GET / HTTP/1.1\r\n\(named)\(String(repeating: "A: b\r\n", count: 99))", 431, true),
    ("POST / HTTP/1.1\r\n\(named)Transfer-Encoding: x, chunked\r\n", 501, true),
    ("GET / HTTP/1.1\r\n\(named)Host", 408, true),
    ("GET / HTTP/1.1\r\nOrigin: https", 408, false),
    ("GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\n\(named)", 414, false),
    ("GET / HTTP/2.0\r\n\(named)\r\n", 505, false),
  ]

  private static let named = origin + "X-Request-Id: mine\r\n"

  @Test(arguments: refusedHeads)
  func `a refusal uses the fields before the fault`(
    head: String,
    status: Int,
    isKnown: Bool
  ) throws {
    for pieces in [[head], head.map { String($0) }] {
      var exchange = Exchange(crossOrigin: try Self.policy())
      for piece in pieces { exchange.feed(piece) }
      exchange.pass(milliseconds: 10_000)
      let answer = exchange.answerText
      #expect(exchange.statuses == [status])
      #expect(answer.contains("\r\nVary: Origin\r\n"))
      #expect(
        answer.contains("\r\nAccess-Control-Allow-Origin: https://a.example\r\n") == isKnown
      )
      #expect((ids(answer) == ["mine"]) == isKnown)
      #expect((exchange.records.first?.id == .given(Array("mine".utf8))) == isKnown)
    }
  }

  @Test(arguments: ["Origin: https://evil.example\r\n", origin + origin])
  func `only a listed origin gets the cross-origin fields`(fields: String) throws {
    for end in ["\r\n", "Host: a b\r\n"] {
      var exchange = Exchange(crossOrigin: try Self.policy())
      exchange.feed("GET / HTTP/1.1\r\n\(host)\(fields)\(end)")
      #expect(exchange.statuses.count == 1)
      #expect(exchange.answerText.contains("\r\nVary: Origin\r\n"))
      #expect(!exchange.answerText.contains("Access-Control-"))
    }
  }

  private static let trace = "0af7651916cd43dd8448eb211c80319c"
  private static let span = "b7ad6b7169203331"

  @Test(arguments: [
    ("00-\(trace)-\(span)-01", true),
    ("cc-\(trace)-\(span)-01", true),
    ("cc-\(trace)-\(span)-01-more", true),
    ("00-\(trace)-\(span)-01-more", false),
    ("cc-\(trace)-\(span)-01.more", false),
    ("ff-\(trace)-\(span)-01", false),
    ("00-\(trace)-\(span)-0", false),
    ("00-\(trace)-\(span)-0x", false),
    ("00-\(trace)_\(span)-01", false),
    ("00-\(trace.uppercased())-\(span)-01", false),
    ("00-00000000000000000000000000000000-\(span)-01", false),
    ("00-\(trace)-0000000000000000-01", false),
    ("00-\(trace)-\(span)-01\r\ntraceparent: 00-\(trace)-\(span)-01", false),
    ("", false),
  ])
  func `a trace is read from a valid field, others are ignored`(
    value: String,
    isTaken: Bool
  ) {
    var exchange = Exchange()
    exchange.feed("GET /a HTTP/1.1\r\n\(host)Traceparent: \(value)\r\n\r\n")
    #expect(exchange.statuses == [200])
    #expect((exchange.records.first?.trace != nil) == isTaken)
    if isTaken {
      #expect(exchange.records.first?.trace?.trace == Array(Self.trace.utf8))
      #expect(exchange.records.first?.trace?.span == Array(Self.span.utf8))
    }
  }
}

import Testing

@testable import HTTP

/// Records of exchanges: each request that began gives exactly one.
@Suite struct ExchangeRecordTests {
  private static let router: Router = {
    var router = Router()
    router.add(.get, "/a/{b}")
    router.add(.post, "/a/{b}")
    return router
  }()

  private func exchange(_ change: (inout Limits) -> Void = { _ in }) -> Exchange {
    var limits = Limits()
    change(&limits)
    return Exchange(limits: limits, router: Self.router)
  }

  private func describe(_ record: ExchangeRecord) -> String {
    let method = record.method?.rawValue ?? "-"
    let status = record.status.map { String($0.code) } ?? "-"
    let end = record.isComplete ? "" : " broken"
    return "\(method) \(Self.router.labels[record.route.index]) \(status)\(end)"
  }

  @Test(arguments: [
    ("GET /a/1 HTTP/1.1\r\nHost: localhost\r\n\r\n", ["GET /a/{b} 200"]),
    ("HEAD /a/1 HTTP/1.1\r\nHost: localhost\r\n\r\n", ["HEAD /a/{b} 200"]),
    (
      "GET /a/1 HTTP/1.1\r\nHost: localhost\r\n\r\nGET /b HTTP/1.1\r\nHost: localhost\r\n\r\n",
      ["GET /a/{b} 200", "GET none 200"]
    ),
    (
      "POST /a/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc\r\nPUT / HTTP/1.1\r\n",
      ["POST /a/{b} 200"]
    ),
    ("GET /a/1 HTTP/1.1\r\nHost: else.where\r\n\r\n", ["GET /a/{b} 421"]),
    ("BREW /a/1 HTTP/1.1\r\nHost: localhost\r\n\r\n", ["- /a/{b} 501"]),
    ("GET /a/1 HTTP/1.1\r\n\r\n", ["GET malformed 400"]),
    ("\n", ["- malformed 400"]),
    (
      "GET /a/1 HTTP/1.1\r\nHost: localhost\r\n\r\nGET /a/\u{1}",
      ["GET /a/{b} 200", "GET malformed 400"]
    ),
    (
      "POST /a/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n",
      ["POST /a/{b} 413"]
    ),
    (
      "POST /a/1 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
      ["POST /a/{b} 400"]
    ),
  ])
  func `each request is recorded once for every split of the input`(
    input: String,
    expected: [String]
  ) {
    let bytes = Array(input.utf8)
    for step in [bytes.count, 1, 7] {
      var exchange = exchange()
      for start in stride(from: 0, to: bytes.count, by: step) {
        exchange.feed(Array(bytes[start..<min(start + step, bytes.count)]))
      }
      #expect(exchange.records.map(describe) == expected, "in pieces of \(step)")
      #expect(exchange.records.map(\.answerBytes).reduce(0, +) == exchange.output.count)
    }
  }

  @Test func `request bytes count the head and the framed content`() {
    let head = "POST /a/1 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    let content = "3;x=y\r\nabc\r\n0\r\nTrailer: 1\r\n\r\n"
    var exchange = exchange()
    exchange.feed("\r\n" + head + content + "GET /a/1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(exchange.records.map(\.requestBytes) == [(head + content).utf8.count, 38])
  }

  @Test func `a deferred stream is recorded at its end`() {
    var exchange = exchange()
    let late = ScriptedAnswer()
    exchange.handle = { _ in .later(late) }
    exchange.feed("GET /a/1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(exchange.records.isEmpty && exchange.state.isInExchange)
    late.append(.begin(Response(.ok, body: [1])))
    late.append(.chunk([2]))
    exchange.wake()
    exchange.pass(milliseconds: 5)
    #expect(exchange.records.isEmpty && exchange.state.isInExchange)
    late.append(.end)
    exchange.wake()
    #expect(exchange.records.map(describe) == ["GET /a/{b} 200"])
    #expect(exchange.records.first?.begin == 0)
    #expect(exchange.records.first?.answerBytes == exchange.output.count)
    #expect(!exchange.state.isInExchange)
  }

  @Test(arguments: [true, false])
  func `an HTTP 1.0 stream and one for HEAD are recorded`(isHead: Bool) {
    var exchange = exchange()
    let late = ScriptedAnswer(.begin(Response(.ok, body: [1])), .end)
    exchange.handle = { _ in .later(late) }
    exchange.feed(
      isHead ? "HEAD /a/1 HTTP/1.1\r\nHost: localhost\r\n\r\n" : "GET /a/1 HTTP/1.0\r\n\r\n"
    )
    #expect(exchange.records.map(describe) == ["\(isHead ? "HEAD" : "GET") /a/{b} 200"])
  }

  @Test func `a broken exchange is recorded as incomplete`() {
    var early = exchange()
    early.feed("GET /a")
    early.closePeer()
    #expect(early.records.map(describe) == ["GET malformed - broken"])
    #expect(early.records.first?.requestBytes == 6)

    var reset = exchange()
    reset.feed("\r\nGE")
    reset.state.abort()
    reset.run()
    #expect(reset.records.map(describe) == ["- malformed - broken"])
    #expect(reset.records.first?.requestBytes == 2)

    var body = exchange()
    body.feed("POST /a/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nab")
    body.closePeer()
    #expect(body.records.map(describe) == ["POST /a/{b} - broken"])

    var unread = exchange()
    unread.takesOutput = false
    unread.feed("GET /a/1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    unread.state.wrote(1, now: unread.now)
    unread.pass(milliseconds: 100_000)
    #expect(unread.isReset)
    #expect(unread.records.map(describe) == ["GET /a/{b} 200 broken"])
    #expect(unread.records.first?.answerBytes == 1)

    var stream = exchange()
    stream.handle = { _ in .later(ScriptedAnswer(.begin(Response(.ok, body: [1])))) }
    stream.feed("GET /a/1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    stream.state.abort()
    stream.run()
    #expect(stream.records.map(describe) == ["GET /a/{b} 200 broken"])
    #expect(stream.isClosed)
  }

  @Test func `a silent connection is not recorded, a slow head is`() {
    var idle = exchange()
    idle.run()
    idle.closePeer()
    #expect(idle.isClosed && idle.records.isEmpty)

    var turned = exchange()
    turned.state.turnAway(with: Response(.serviceUnavailable))
    turned.run()
    #expect(turned.records.isEmpty)

    var slow = exchange()
    slow.feed("GET /")
    slow.pass(milliseconds: 60_000)
    #expect(slow.records.map(describe) == ["GET malformed 408"])
    #expect(slow.records.first?.requestBytes == 5)
  }
}

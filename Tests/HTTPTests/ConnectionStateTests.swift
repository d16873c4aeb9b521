import Testing

@testable import HTTP

private let get = "GET /a HTTP/1.1\r\n\(host)\r\n"

@Suite struct ConnectionStateTests {
  @Test func `pipelined requests are answered in order`() {
    let raw = (0..<50).map { "GET /\($0) HTTP/1.1\r\n\(host)\r\n" }.joined()
    let exchange = Exchange(Array(raw.utf8))
    #expect(exchange.requests.map(Exchange.describe) == (0..<50).map { "GET \($0)  " })
    #expect(exchange.statuses.count == 50)
  }

  @Test func `a client that does not read is not served further`() {
    var exchange = Exchange()
    exchange.takesOutput = false
    exchange.feed(get + get + get)
    #expect(exchange.requests.count == 1)
    guard case .write = exchange.state.next() else {
      Issue.record("it wants to go on without writing")
      return
    }
    exchange.takesOutput = true
    exchange.run()
    #expect(exchange.requests.count == 3)
  }

  @Test func `a response written byte by byte arrives complete`() {
    var exchange = Exchange()
    exchange.takesOutput = false
    exchange.feed(get)
    let whole = Array(exchange.state.unwritten)
    while let byte = exchange.state.unwritten.first {
      exchange.output.append(byte)
      exchange.state.wrote(1, now: exchange.now)
    }
    #expect(exchange.output == whole)
  }

  @Test func `long content does not disturb pipelined responses`() {
    var exchange = Exchange()
    let content = (0..<300_000).map { UInt8($0 % 251) }
    exchange.handle = { _ in .response(Response(.ok, contentType: "text/plain", body: content)) }
    exchange.feed(get + "HEAD /a HTTP/1.1\r\n\(host)\r\n" + get)
    let text = exchange.output.split(separator: Array("\r\n\r\n".utf8), maxSplits: 1)
    #expect(text.last?.starts(with: content) == true)
    #expect(exchange.output.suffix(content.count) == content[...])
    #expect(
      exchange.output.count > 2 * content.count && exchange.output.count < 2 * content.count + 1_000
    )
    #expect(exchange.statuses == [200, 200, 200])
  }

  @Test func `unread long content ends in a reset`() {
    var exchange = Exchange()
    exchange.handle = { _ in .response(Response(.ok, body: [UInt8](repeating: 1, count: 300_000))) }
    exchange.takesOutput = false
    exchange.feed(get)
    exchange.milliseconds = 15_000
    exchange.state.wrote(exchange.state.unwritten.count, now: exchange.now)
    #expect(exchange.state.unwritten.count == 300_000)
    exchange.pass(milliseconds: 19_999)
    #expect(!exchange.isReset)
    exchange.pass(milliseconds: 1)
    #expect(exchange.isReset)
  }

  @Test(arguments: [1_000, 65_536, 3_000_000])
  func `content of any length arrives unchanged`(count: Int) {
    let content = (0..<count).map { UInt8($0 % 251) }
    let head = "POST /a HTTP/1.1\r\n\(host)Content-Length: \(count)\r\n\r\n"
    var exchange = Exchange()
    exchange.handle = { _ in .response(Response(.ok)) }
    exchange.feed(head)
    for start in stride(from: 0, to: count, by: 40_000) {
      exchange.feed(Array(content[start..<min(start + 40_000, count)]))
    }
    #expect(exchange.requests.map(\.body) == [content])
  }

  @Test func `requests sent before the peer closed are answered`() {
    var exchange = Exchange()
    exchange.takesOutput = false
    exchange.feed(get + get)
    exchange.closePeer()
    exchange.takesOutput = true
    exchange.run()
    #expect(exchange.statuses == [200, 200])
    #expect(exchange.isClosed)
  }

  @Test func `100 Continue is sent before content arrives`() {
    var exchange = Exchange()
    exchange.feed("PUT /a HTTP/1.1\r\n\(host)Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
    #expect(exchange.answerText == "HTTP/1.1 100 Continue\r\n\r\n")
    exchange.feed("hi")
    #expect(exchange.requests.map(Exchange.describe) == ["PUT a  hi"])
  }

  @Test func `100 Continue is sent exactly at the end of the head`() {
    let interim = "HTTP/1.1 100 Continue\r\n\r\n"
    let head = with("Expect: 100-continue\r\nContent-Length: 2", "PUT")
    for cut in 1..<(head.utf8.count + 2) {
      var exchange = Exchange()
      exchange.feed(Array((head + "hi").utf8.prefix(cut)))
      #expect(exchange.answerText == (cut == head.utf8.count ? interim : ""), "\(cut) bytes")
    }
    let bytewise = Exchange(Array(head.utf8), cuts: Array(0..<head.utf8.count))
    #expect(bytewise.answerText == interim)
  }

  @Test(arguments: [
    "PUT /a HTTP/1.1\r\n\(host)Expect: 100-continue\r\nContent-Length: 2\r\n\r\nh",
    "PUT /a HTTP/1.1\r\n\(host)Expect: 100-continue\r\n\r\n",
    "PUT /a HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n",
    "PUT /a HTTP/1.1\r\n\(host)Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n",
    "BREW /a HTTP/1.1\r\n\(host)Expect: 100-continue\r\nContent-Length: 2\r\n\r\n",
  ])
  func `100 Continue is not sent when it is not due`(_ raw: String) {
    #expect(!Exchange(Array(raw.utf8)).answerText.contains(" 100 "))
  }

  @Test func `HEAD is answered with the fields of GET and no content`() {
    let head = Exchange(Array("HEAD /a HTTP/1.1\r\n\(host)\r\n".utf8)).answerText
    #expect(head.contains("\r\nContent-Length: 8\r\n") && head.hasSuffix("\r\n\r\n"))
    let refused = Exchange(Array("HEAD /a HTTP/1.1\r\n\r\n".utf8)).answerText
    #expect(refused.hasPrefix("HTTP/1.1 400 ") && refused.hasSuffix("\r\n\r\n"))
  }

  @Test(arguments: ["Content-Length: 9", "Transfer-Encoding: chunked"])
  func `a refused head takes precedence over large content`(framing: String) {
    var limits = Limits()
    limits.maxUnreadBytes = 4
    for (head, status) in [
      ("FOO / HTTP/1.1\r\n\(host)", 501), ("PUT / HTTP/1.1\r\nHost: evil\r\n", 421),
    ] {
      let raw = "\(head)\(framing)\r\n\r\n9\r\n123456789\r\n0\r\n\r\n"
      #expect(Exchange(Array(raw.utf8), limits: limits).statuses == [status])
    }
  }

  @Test func `an HTTP 1.0 response announces that the connection stays open`() {
    let raw = "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
    let answer = Exchange(Array(raw.utf8)).answerText
    #expect(answer.contains("\r\nConnection: keep-alive\r\n"))
  }

  @Test func `a closing connection is read until the peer closes`() {
    var exchange = Exchange(Array("GET / HTTP/1.0\r\n\r\n".utf8))
    #expect(exchange.isWriteShut && !exchange.isClosed)
    exchange.feed(get)
    #expect(exchange.requests.count == 1 && !exchange.isClosed)
    exchange.closePeer()
    #expect(exchange.isClosed && !exchange.isReset)
  }

  @Test func `a closing connection is read up to a number of bytes`() {
    var limits = Limits()
    limits.maxLingerBytes = 100
    var exchange = Exchange(limits: limits)
    exchange.feed("junk\r\n")
    exchange.feed(String(repeating: "x", count: 100))
    #expect(!exchange.isClosed)
    exchange.feed("x")
    #expect(exchange.isClosed)
  }

  @Test func `a connection beyond the limit gets 503 and is closed`() {
    var exchange = Exchange()
    exchange.state.turnAway(with: Problem.overloaded(retryAfter: 1).response)
    exchange.run()
    #expect(exchange.statuses == [503])
    #expect(exchange.answerText.contains("\r\nRetry-After: 1\r\n"))
    #expect(exchange.isWriteShut)
  }

  @Test func `draining closes an idle connection at once`() {
    var old = Exchange()
    old.pass(milliseconds: ConnectionState.firstRequestMilliseconds)
    old.drain()
    #expect(old.isClosed && old.output.isEmpty)
    var used = Exchange(Array(get.utf8))
    used.drain()
    #expect(used.isClosed && used.statuses == [200])
  }

  @Test func `draining waits for the first request of a new connection, for a second at most`() {
    var fresh = Exchange()
    fresh.pass(milliseconds: 1)
    fresh.drain()
    #expect(!fresh.isClosed)
    fresh.feed(get)
    #expect(fresh.statuses == [200])
    #expect(fresh.answerText.contains("\r\nConnection: close\r\n") && fresh.isWriteShut)
    var silent = Exchange()
    silent.pass(milliseconds: 1)
    silent.drain()
    silent.pass(milliseconds: ConnectionState.firstRequestMilliseconds - 2)
    #expect(!silent.isClosed)
    silent.pass(milliseconds: 1)
    #expect(silent.isClosed && silent.output.isEmpty)
  }

  @Test(arguments: [get.utf8.count, 10])
  func `draining finishes the current request and announces the close`(received: Int) {
    var exchange = Exchange()
    let answer = ScriptedAnswer()
    exchange.handle = { _ in .later(answer) }
    exchange.feed(Array(get.utf8.prefix(received)))
    exchange.drain()
    #expect(!exchange.isClosed)
    exchange.feed(Array(get.utf8.dropFirst(received)))
    answer.append(.answer(Response(.ok)))
    exchange.wake()
    #expect(exchange.answerText.contains("\r\nConnection: close\r\n") && exchange.isWriteShut)
  }
}

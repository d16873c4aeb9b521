import Testing

@testable import HTTP

private let get = "GET /a HTTP/1.1\r\n\(host)\r\n"
private let postHead = "POST /a HTTP/1.1\r\n\(host)Content-Length: 10000\r\n\r\n"

@Suite struct DeadlineTests {
  @Test func `a new connection that sends nothing is closed without a response`() {
    var exchange = Exchange()
    exchange.pass(milliseconds: 9_999)
    #expect(!exchange.isClosed)
    exchange.pass(milliseconds: 1)
    #expect(exchange.isClosed && exchange.output.isEmpty)
  }

  @Test func `the time limit of a head starts at its first byte`() {
    var exchange = Exchange()
    exchange.pass(milliseconds: 5_000)
    for byte in get.utf8.prefix(10) {
      exchange.feed([byte])
      exchange.pass(milliseconds: 999)
    }
    #expect(exchange.statuses.isEmpty)
    exchange.pass(milliseconds: 10)
    #expect(exchange.statuses == [408])
    #expect(exchange.isWriteShut)
  }

  @Test func `an idle connection is closed without a response after its time`() {
    var exchange = Exchange(Array(get.utf8))
    exchange.pass(milliseconds: 74_999)
    #expect(!exchange.isClosed)
    exchange.pass(milliseconds: 1)
    #expect(exchange.isClosed && exchange.statuses == [200])
  }

  @Test func `content that pauses too long is answered with 408`() {
    var exchange = Exchange()
    exchange.feed(postHead + String(repeating: "x", count: 9_999))
    exchange.pass(milliseconds: 9_999)
    #expect(exchange.statuses.isEmpty)
    exchange.pass(milliseconds: 1)
    #expect(exchange.statuses == [408])
  }

  @Test func `content that trickles is answered with 408`() {
    var exchange = Exchange()
    exchange.feed(postHead)
    for _ in 0..<10 {
      exchange.feed("x")
      exchange.pass(milliseconds: 1_000)
    }
    // 10 bytes at 500 bytes a second take 20 ms.
    #expect(exchange.statuses.isEmpty)
    exchange.pass(milliseconds: 20)
    #expect(exchange.statuses == [408])
  }

  @Test func `content at the minimum rate is read completely`() {
    var exchange = Exchange()
    exchange.feed(postHead)
    for _ in 0..<20 {
      exchange.pass(milliseconds: 1_000)
      exchange.feed(String(repeating: "x", count: 500))
    }
    #expect(exchange.statuses == [200])
  }

  @Test func `an unread response ends in a reset`() {
    var exchange = Exchange()
    exchange.takesOutput = false
    exchange.feed(get)
    exchange.pass(milliseconds: 19_999)
    #expect(!exchange.isClosed)
    exchange.pass(milliseconds: 1)
    #expect(exchange.isReset)
  }

  @Test func `a response that is read too slowly ends in a reset`() {
    var exchange = Exchange()
    exchange.takesOutput = false
    exchange.feed(get)
    for _ in 0..<20 {
      exchange.pass(milliseconds: 1_000)
      #expect(!exchange.isClosed)
      exchange.state.wrote(1, now: exchange.now)
    }
    exchange.pass(milliseconds: 40)
    #expect(exchange.isReset)
  }

  @Test func `a closing connection that the peer keeps open is closed after its time`() {
    var exchange = Exchange(Array("GET / HTTP/1.0\r\n\r\n".utf8))
    exchange.pass(milliseconds: 1_999)
    exchange.feed("x")
    #expect(!exchange.isClosed)
    exchange.pass(milliseconds: 1)
    #expect(exchange.isClosed && !exchange.isReset)
  }

  @Test func `nothing happens before the deadline`() {
    var exchange = Exchange()
    exchange.feed("GET /a")
    exchange.pass(milliseconds: 9_999)
    #expect(exchange.statuses.isEmpty && exchange.state.deadline == 10_000)
  }

  @Test(arguments: [0, 10])
  func `the minimum rate of content can be set, 0 for none`(rate: Int) {
    var limits = Limits()
    limits.minBytesPerSecond = rate
    var exchange = Exchange(limits: limits)
    exchange.feed(postHead)
    for _ in 0..<100 {
      exchange.pass(milliseconds: 9_000)
      exchange.feed(String(repeating: "x", count: rate == 0 ? 1 : 90))
      #expect(exchange.statuses.isEmpty)
    }
    exchange.pass(milliseconds: 9_999)
    #expect(exchange.statuses.isEmpty)
    exchange.pass(milliseconds: 1)
    #expect(exchange.statuses == [408])
  }

  @Test func `a response may be read at any rate if the minimum is 0`() {
    var limits = Limits()
    limits.minBytesPerSecond = 0
    var exchange = Exchange(limits: limits)
    exchange.takesOutput = false
    exchange.feed(get)
    for _ in 0..<50 {
      exchange.pass(milliseconds: 19_999)
      #expect(!exchange.isClosed)
      exchange.state.wrote(1, now: exchange.now)
    }
    exchange.pass(milliseconds: 20_000)
    #expect(exchange.isReset)
  }
}

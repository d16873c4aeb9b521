import Testing

@testable import HTTP

/// Content that is sent without being copied behind its head.
@Suite struct ContentTests {
  @Test func `head and content are sent in partial writes of any size`() {
    let content = (0..<3_000).map { UInt8($0 % 251) }
    func answered() -> Exchange {
      var exchange = Exchange()
      exchange.handle = { _ in .response(Response(.ok, body: content)) }
      exchange.takesOutput = false
      exchange.feed("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
      return exchange
    }
    var first = answered()
    let head = Array(first.state.unwritten)
    #expect(first.state.unwrittenContent == content)
    for count in [1, head.count - 1, head.count, head.count + 1, head.count + 2_999] {
      var exchange = answered()
      exchange.state.wrote(count, now: exchange.now)
      let left = exchange.state.unwritten + exchange.state.unwrittenContent
      #expect(left == (head + content)[count...], "\(count) bytes taken")
    }
    first.state.wrote(head.count + content.count, now: first.now)
    #expect(first.state.isIdle && first.state.heldBytes == 0)
  }
}

import HTTP
import Testing

/// Giving up what a connection holds for long when memory is short.
struct GivingUpTests {
  private static let busy = Response(.serviceUnavailable)

  private static func reclaimable(_ exchange: inout Exchange) -> Int {
    exchange.state.reclaimable(
      afterMilliseconds: 1_000,
      slowerThan: 1_000_000,
      now: exchange.now
    ).bytes
  }

  /// Advances the clock without an event for the connection.
  private static func wait(_ exchange: inout Exchange, milliseconds: Int) {
    exchange.milliseconds += milliseconds
  }

  @Test(arguments: [
    "GE", "\r", "GET / HTTP/1.1\r\nA: abc", "GET / HTTP/1.1\r\nA: abc\r\n",
    "POST / HTTP/1.1\r\n\(host)Content-Length: 9\r\n\r\nabc",
    "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
  ])
  func `an incomplete request can be given up after a while`(part: String) {
    var exchange = Exchange()
    exchange.feed(part)
    Self.wait(&exchange, milliseconds: 999)
    #expect(Self.reclaimable(&exchange) == 0)
    Self.wait(&exchange, milliseconds: 1)
    let held = exchange.state.heldBytes
    #expect(held > 0 && Self.reclaimable(&exchange) == held)
    exchange.state.giveUp(with: Self.busy, now: exchange.now)
    exchange.run()
    #expect(exchange.statuses == [503] && exchange.isWriteShut)
    #expect(exchange.state.heldBytes == 0 && exchange.records.count == 1)
    // Further bytes of the request are read and discarded.
    exchange.feed("def")
    #expect(exchange.state.heldBytes == 0 && exchange.statuses == [503])
  }

  @Test func `giving up after a lone CR uses a new request id`() {
    var exchange = Exchange(Array("GET / HTTP/1.1\r\n\(host)\r\n\r".utf8))
    exchange.state.giveUp(with: Self.busy, now: exchange.now)
    exchange.run()
    let lines = exchange.answerText.split(separator: "\r\n")
    let ids = lines.filter { $0.hasPrefix("X-Request-Id: ") }
    #expect(exchange.statuses == [200, 503] && Set(ids).count == 2 && exchange.records.count == 2)
  }

  @Test func `a response that is not read can be given up`() {
    var exchange = Exchange()
    exchange.takesOutput = false
    exchange.feed("GET / HTTP/1.1\r\n\(host)\r\n")
    Self.wait(&exchange, milliseconds: 999)
    #expect(Self.reclaimable(&exchange) == 0)
    Self.wait(&exchange, milliseconds: 1)
    #expect(Self.reclaimable(&exchange) > 0)
    exchange.state.giveUp(with: Self.busy, now: exchange.now)
    #expect(exchange.state.heldBytes == 0)
    exchange.run()
    #expect(exchange.isReset && exchange.output.isEmpty && exchange.records.count == 1)
  }

  @Test func `waiting and idle connections hold nothing to give up`() {
    var waiting = Exchange()
    waiting.handle = { _ in .later(ScriptedAnswer(.wait(milliseconds: nil))) }
    var idle = Exchange()
    for path in ["/", "/"] {
      idle.feed("GET \(path) HTTP/1.1\r\n\(host)\r\n")
      waiting.feed("POST \(path) HTTP/1.1\r\n\(host)Content-Length: 3\r\n\r\nabc")
      for exchange in [idle, waiting] {
        var exchange = exchange
        Self.wait(&exchange, milliseconds: 100_000)
        #expect(Self.reclaimable(&exchange) == 0)
      }
    }
  }

  @Test func `a large head counts while its answer is awaited`() {
    for (field, isLarge) in [("a", false), (String(repeating: "a", count: 20_000), true)] {
      var exchange = Exchange()
      exchange.handle = { _ in .later(ScriptedAnswer(.wait(milliseconds: nil))) }
      exchange.feed("GET / HTTP/1.1\r\n\(host)A: \(field)\r\n\r\n")
      #expect(exchange.state.heldBytes == 0 || isLarge)
      #expect(exchange.state.heldBytes > 17_000 || !isLarge)
    }
    var answered = Exchange()
    answered.feed("GET / HTTP/1.1\r\n\(host)A: \(String(repeating: "a", count: 20_000))\r\n\r\n")
    #expect(answered.statuses == [200] && answered.state.heldBytes == 0)
  }
}

import Synchronization
import Testing

@testable import HTTP

/// A receiver whose demand a test sets.
private final class DemandingReceiver: BodyReceiver {
  let maxBytes = 1_000_000
  private let state: Mutex<(demand: BodyDemand, content: [UInt8], endings: [String])>

  init(_ demand: BodyDemand) { state = Mutex((demand, [], [])) }

  var content: String { state.withLock { String(text: $0.content[...]) } }
  var endings: [String] { state.withLock { $0.endings } }

  func set(_ demand: BodyDemand) { state.withLock { $0.demand = demand } }
  func demand() -> BodyDemand { state.withLock { $0.demand } }

  func receive(_ bytes: ArraySlice<UInt8>) -> Response? {
    state.withLock { $0.content += bytes }
    return nil
  }

  func finish() -> Reply {
    state.withLock { $0.endings.append("finished") }
    return .response(Response(.ok))
  }

  func cancel() { state.withLock { $0.endings.append("cancelled") } }
}

@Suite struct `The demand of a receiver` {
  private static let head = "POST /a HTTP/1.1\r\n\(host)Content-Length: 6\r\n"

  private static func exchange(_ receiver: DemandingReceiver, _ text: String) -> Exchange {
    var exchange = Exchange()
    exchange.chooseReceiver = { _ in receiver }
    exchange.feed(text)
    return exchange
  }

  @Test func `pauses the client, whose time does not count`() {
    let receiver = DemandingReceiver(.pause)
    var exchange = Self.exchange(receiver, Self.head + "\r\nabc")
    #expect(receiver.content.isEmpty && exchange.state.deadline == nil)
    exchange.pass(milliseconds: 100_000)
    #expect(exchange.output.isEmpty && !exchange.isClosed)
    receiver.set(.more)
    exchange.wake()
    #expect(receiver.content == "abc")
    let limit = Limits().bodyTimeoutMilliseconds
    #expect(exchange.state.deadline == 100_000 + limit)
    exchange.pass(milliseconds: limit - 1)
    exchange.feed("def")
    #expect(receiver.endings == ["finished"] && exchange.statuses == [200])
  }

  @Test func `decides when a client that waits is told to go on`() {
    let receiver = DemandingReceiver(.pause)
    var exchange = Self.exchange(receiver, Self.head + "Expect: 100-continue\r\n\r\n")
    #expect(exchange.output.isEmpty)
    receiver.set(.more)
    exchange.wake()
    #expect(String(text: exchange.output[...]) == "HTTP/1.1 100 Continue\r\n\r\n")
    exchange.feed("abcdef")
    #expect(exchange.statuses == [200] && receiver.content == "abcdef")
  }

  @Test func `ends with a refusal before the rest comes`() {
    let receiver = DemandingReceiver(.pause)
    var exchange = Self.exchange(receiver, Self.head + "Expect: 100-continue\r\n\r\n")
    receiver.set(.refuse(Response(.unprocessableContent)))
    exchange.wake()
    #expect(exchange.statuses == [422] && exchange.isWriteShut && receiver.endings.isEmpty)
  }

  @Test func `is no longer asked when the client leaves`() {
    let receiver = DemandingReceiver(.pause)
    var exchange = Self.exchange(receiver, Self.head + "\r\nabc")
    exchange.state.abort()
    exchange.run()
    #expect(exchange.isClosed && receiver.endings == ["cancelled"])
  }
}

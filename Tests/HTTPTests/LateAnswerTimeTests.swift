import Testing

@testable import HTTP

/// How long a late answer is waited for.
@Suite struct LateAnswerTimeTests {
  private static let get = "GET /a HTTP/1.1\r\n\(host)\r\n"

  @Test func `an answer that says how long it waits is not one that is worked at`() {
    var limits = Limits()
    limits.handlerTimeoutMilliseconds = 1_000
    let answer = ScriptedAnswer(.wait(milliseconds: 60_000), .wait(milliseconds: nil))
    var exchange = Exchange(late: answer, limits: limits)
    exchange.feed(Self.get)
    exchange.pass(milliseconds: 59_999)
    #expect(answer.stepsLeft == 1)
    // Somebody works at it from here on, and for too long.
    exchange.pass(milliseconds: 1)
    exchange.pass(milliseconds: 999)
    #expect(exchange.output.isEmpty && answer.stepsLeft == 0)
    exchange.pass(milliseconds: 1)
    #expect(exchange.statuses == [503] && answer.notes == ["start", "cancel"])
  }

  @Test func `an idle time does not end it, but its own limit does`() {
    let answer = ScriptedAnswer()
    var exchange = Exchange(late: answer)
    exchange.feed(Self.get)
    exchange.pass(milliseconds: 119_999)
    #expect(!exchange.isClosed && exchange.output.isEmpty)
    exchange.pass(milliseconds: 1)
    #expect(exchange.statuses == [503])
    #expect(exchange.answerText.contains("\r\nRetry-After: 1\r\n"))
    #expect(answer.notes == ["start", "cancel"])
    exchange.feed("GET /b HTTP/1.1\r\n\(host)\r\n")
    #expect(exchange.statuses == [503, 200])
  }

  @Test func `one that may have done something is waited for`() {
    let answer = ScriptedAnswer(isFirm: true)
    var exchange = Exchange(late: answer)
    exchange.feed(Self.get)
    exchange.pass(milliseconds: 119_999)
    #expect(answer.notes == ["start"])
    exchange.pass(milliseconds: 1)
    #expect(answer.notes == ["start", "withdraw"] && exchange.output.isEmpty)
    exchange.pass(milliseconds: 119_999)
    #expect(answer.notes == ["start", "withdraw"])
    exchange.pass(milliseconds: 1)
    #expect(answer.notes == ["start", "withdraw", "withdraw"] && exchange.output.isEmpty)
    answer.append(.answer(Response(.noContent)))
    exchange.wake()
    #expect(exchange.statuses == [204])
  }

  @Test func `a stream has no such limit once it has begun`() {
    let answer = ScriptedAnswer(.begin(Response(.ok, body: Array("one".utf8))))
    var exchange = Exchange(late: answer)
    exchange.feed(Self.get)
    exchange.pass(milliseconds: 10_000_000)
    #expect(exchange.state.deadline == nil && !exchange.isClosed && answer.notes == ["start"])
  }
}

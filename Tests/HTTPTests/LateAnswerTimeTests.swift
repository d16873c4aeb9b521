import Testing

@testable import HTTP

/// The time limits of deferred answers.
@Suite struct LateAnswerTimeTests {
  private static let get = "GET /a HTTP/1.1\r\n\(host)\r\n"

  @Test func `a requested wait does not count towards the timeout`() {
    var limits = Limits()
    limits.handlerTimeoutMilliseconds = 1_000
    let answer = ScriptedAnswer(.wait(milliseconds: 60_000), .wait(milliseconds: nil))
    var exchange = Exchange(late: answer, limits: limits)
    exchange.feed(Self.get)
    exchange.pass(milliseconds: 59_999)
    #expect(answer.stepsLeft == 1)
    // From here on the answer counts as being worked on, for too long.
    exchange.pass(milliseconds: 1)
    exchange.pass(milliseconds: 999)
    #expect(exchange.output.isEmpty && answer.stepsLeft == 0)
    exchange.pass(milliseconds: 1)
    #expect(exchange.statuses == [503] && answer.notes == ["start", "cancel"])
  }

  @Test func `the handler timeout gives 503, the idle timeout does not apply`() {
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

  @Test func `an answer that cannot be withdrawn is waited for`() {
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

  @Test func `a stream has no handler timeout after its beginning`() {
    let answer = ScriptedAnswer(.begin(Response(.ok, body: Array("one".utf8))))
    var exchange = Exchange(late: answer)
    exchange.feed(Self.get)
    exchange.pass(milliseconds: 10_000_000)
    #expect(exchange.state.deadline == nil && !exchange.isClosed && answer.notes == ["start"])
  }
}

import Testing

@testable import HTTP

/// Responses with encoded content.
///
/// The encoder of the tests puts content in brackets.
@Suite struct CodedAnswerTests {
  private let accepting = "Accept-Encoding: gzip\r\n"
  private let long = Response(.ok, body: Array(repeating: UInt8(ascii: "x"), count: 10))

  private func exchange(_ handle: @escaping (Request) -> Reply) -> Exchange {
    var policy = CodingPolicy()
    policy.minBytes = 10
    var exchange = Exchange(coding: policy)
    exchange.handle = handle
    return exchange
  }

  private func answer(
    _ response: Response,
    _ fields: String = "Accept-Encoding: gzip\r\n",
    method: String = "GET"
  ) -> String {
    var exchange = exchange { _ in .response(response) }
    exchange.feed("\(method) /a HTTP/1.1\r\n\(host)\(fields)\r\n")
    #expect(exchange.records.count == 1 && exchange.records.first?.isComplete == true)
    return exchange.answerText
  }

  @Test func `long content is encoded, with the fields that say so`() {
    var response = long
    response.fields.append(.eTag, "\"12\"")
    let text = answer(response)
    #expect(text.hasSuffix("\r\n\r\n[xxxxxxxxxx]"))
    #expect(text.contains("\r\nContent-Encoding: gzip\r\n"))
    #expect(text.contains("\r\nContent-Length: 12\r\n"))
    #expect(text.contains("\r\nVary: Accept-Encoding\r\n"))
    #expect(text.contains("\r\nETag: \"12-gzip\"\r\n"))
  }

  @Test(arguments: ["", "Accept-Encoding: br\r\n", "Accept-Encoding: gzip;q=0\r\n"])
  func `content is not encoded unless requested, and Vary is sent`(fields: String) {
    var response = long
    response.fields.append(.eTag, "\"12\"")
    let text = answer(response, fields)
    #expect(text.hasSuffix("\r\n\r\nxxxxxxxxxx"))
    #expect(!text.contains("Content-Encoding"))
    #expect(text.contains("\r\nContent-Length: 10\r\n"))
    #expect(text.contains("\r\nVary: Accept-Encoding\r\n"))
    #expect(text.contains("\r\nETag: \"12\"\r\n"))
  }

  @Test func `content compressed in advance is sent without encoding`() {
    var response = long
    response.compressedBody = Array("ready".utf8)
    let text = answer(response)
    #expect(text.hasSuffix("\r\n\r\nready") && text.contains("\r\nContent-Encoding: gzip\r\n"))
    #expect(text.contains("\r\nContent-Length: 5\r\n"))
    #expect(text.contains("\r\nVary: Accept-Encoding\r\n"))
    #expect(answer(response, "").hasSuffix("\r\n\r\nxxxxxxxxxx"))
    #expect(answer(response, method: "HEAD") == answer(long, method: "HEAD"))
  }

  @Test func `short content is encoded only if identity is refused`() {
    let short = Response(.notFound, body: Array("123456789".utf8))
    #expect(answer(short).hasSuffix("\r\n\r\n123456789"))
    let fields = "Accept-Encoding: gzip, identity;q=0\r\n"
    #expect(answer(short, fields).hasSuffix("\r\n\r\n[123456789]"))
  }

  @Test func `empty or already encoded content is not encoded`() {
    var response = long
    response.fields.append(.contentEncoding, "br")
    #expect(answer(response).hasSuffix("\r\n\r\nxxxxxxxxxx"))
    let empty = answer(Response(.noContent))
    #expect(!empty.contains("Content-Encoding") && !empty.contains("Vary"))
    let unchanged = answer(Response(.notModified))
    #expect(!unchanged.contains("Content-Encoding") && unchanged.contains("Vary: Accept-Encoding"))
    #expect(answer(Response(.ok), "Accept-Encoding: identity;q=0, *\r\n").contains("Length: 0\r\n"))
  }

  @Test func `HEAD has the fields of GET without an unknown length`() {
    let head = answer(long, method: "HEAD")
    #expect(head.contains("\r\nContent-Encoding: gzip\r\n"))
    #expect(head.contains("\r\nVary: Accept-Encoding\r\n"))
    #expect(!head.contains("Content-Length") && head.hasSuffix("\r\n\r\n"))
    #expect(answer(long, "", method: "HEAD").contains("\r\nContent-Length: 10\r\n"))
  }

  @Test func `without a policy nothing is encoded and Vary is not sent`() {
    var exchange = Exchange()
    exchange.handle = { [long] _ in .response(long) }
    exchange.feed("GET /a HTTP/1.1\r\n\(host)\(accepting)\r\n")
    #expect(exchange.answerText.hasSuffix("\r\n\r\nxxxxxxxxxx"))
    #expect(!exchange.answerText.contains("Vary"))
  }

  @Test func `pieces of a stream are encoded and sent one by one`() {
    let begin = Response(.ok, body: Array("one".utf8))
    let answer = ScriptedAnswer(.begin(begin), .chunk(Array("two".utf8)), .wait(milliseconds: nil))
    var exchange = exchange { _ in .later(answer) }
    exchange.feed("GET /a HTTP/1.1\r\n\(host)\(accepting)\r\n")
    #expect(exchange.answerText.hasSuffix("\r\n\r\n5\r\n[one|\r\n4\r\ntwo|\r\n"))
    #expect(exchange.answerText.contains("\r\nContent-Encoding: gzip\r\n"))
    answer.append(.end)
    exchange.handle = { [long] _ in .response(long) }
    exchange.wake()
    #expect(exchange.answerText.hasSuffix("two|\r\n1\r\n]\r\n0\r\n\r\n"))
    exchange.feed("GET /b HTTP/1.1\r\n\(host)\(accepting)\r\n")
    #expect(exchange.answerText.hasSuffix("\r\n\r\n[xxxxxxxxxx]"))
    #expect(exchange.records.map(\.isComplete) == [true, true])
  }

  @Test func `an empty stream is encoded`() {
    var exchange = exchange { _ in .later(ScriptedAnswer(.begin(Response(.ok)), .end)) }
    exchange.feed("GET /a HTTP/1.1\r\n\(host)\(accepting)\r\n")
    #expect(exchange.answerText.hasSuffix("\r\n\r\n2\r\n[]\r\n0\r\n\r\n"))
  }

  @Test func `pipelined requests wait while a response is encoded`() {
    var given: UncodedContent?
    var exchange = exchange { [long] _ in .response(long) }
    exchange.code = nil
    exchange.state.receive(
      Array("GET /a HTTP/1.1\r\n\(host)\(accepting)\r\nGET /b HTTP/1.1\r\n\(host)\r\n".utf8)[...],
      now: exchange.now
    )
    while given == nil {
      switch exchange.state.next() {
      case .handle(let request):
        exchange.state.reply(exchange.handle(request), now: exchange.now, waker: Waker {})
      case .code(let content): given = content
      default: Issue.record("nothing else is due")
      }
    }
    #expect(given?.bytes == long.body && given?.isWhole == true)
    guard case .wait = exchange.state.next() else {
      Issue.record("it does not wait for the coded content")
      return
    }
    exchange.wake()
    exchange.finishPeer()
    #expect(exchange.state.deadline == nil && exchange.output.isEmpty)
    exchange.state.coded(Array("coded".utf8), now: exchange.now)
    exchange.run()
    #expect(exchange.statuses == [200, 200])
    #expect(exchange.answerText.contains("\r\n\r\ncodedHTTP/1.1 200"))
  }

  @Test(arguments: [("gzip", true), ("gzip, identity;q=0", false)])
  func `content is sent unencoded when busy, if accepted`(
    accepted: String,
    canBeLeft: Bool
  ) {
    var exchange = exchange { [long] _ in .response(long) }
    exchange.code = { content, state, now in
      #expect(content.canBeLeft == canBeLeft)
      if content.canBeLeft {
        state.leaveUncoded(content, now: now)
      } else {
        state.coded(Array("coded".utf8), now: now)
      }
    }
    exchange.feed("GET /a HTTP/1.1\r\n\(host)Accept-Encoding: \(accepted)\r\n\r\n")
    #expect(exchange.statuses == [200])
    #expect(exchange.answerText.contains("Content-Encoding") != canBeLeft)
    #expect(exchange.answerText.hasSuffix(canBeLeft ? "\r\n\r\nxxxxxxxxxx" : "\r\n\r\ncoded"))
  }

  @Test(arguments: [("identity;q=0", true), ("*;q=0", true), ("gzip, *;q=0", false), ("br", false)])
  func `a request that accepts no available coding is unanswerable`(
    accepted: String,
    isUnanswerable: Bool
  ) {
    var exchange = exchange { _ in .response(Response(.ok)) }
    exchange.feed("GET /a HTTP/1.1\r\n\(host)Accept-Encoding: \(accepted)\r\n\r\n")
    #expect(exchange.requests.map(\.isUnanswerable) == [isUnanswerable])
  }
}

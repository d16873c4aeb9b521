import Testing

@testable import HTTP

private let get = "GET /a HTTP/1.1\r\n\(host)\r\n"
private let begin = LateStep.begin(Response(.ok, body: Array("one".utf8)))

private func chunk(_ text: String) -> LateStep { .chunk(Array(text.utf8)) }

@Suite struct LateAnswerTests {
  @Test func `pipelined requests wait for a deferred answer`() {
    let answer = ScriptedAnswer()
    var exchange = Exchange(late: answer)
    exchange.feed(get + "GET /b HTTP/1.1\r\n\(host)\r\n")
    guard case .wait = exchange.state.next() else {
      Issue.record("it does not wait for the answer")
      return
    }
    #expect(exchange.output.isEmpty && exchange.requests.count == 1)
    answer.append(.answer(Response(.noContent)))
    exchange.wake()
    #expect(exchange.statuses == [204, 200])
    #expect(answer.notes == ["start"])
  }

  @Test func `a client that has finished sending gets one interim response while it waits`() {
    let answer = ScriptedAnswer()
    var exchange = Exchange(late: answer)
    exchange.feed(get)
    #expect(exchange.output.isEmpty)
    exchange.finishPeer()
    #expect(String(decoding: exchange.output, as: UTF8.self) == "HTTP/1.1 102 Processing\r\n\r\n")
    exchange.wake()
    exchange.finishPeer()
    answer.append(.answer(Response(.noContent)))
    exchange.wake()
    #expect(exchange.statuses == [102, 204])
  }

  @Test func `a client that has finished sending before gets the interim response, too`() {
    var exchange = Exchange(late: ScriptedAnswer())
    exchange.finishPeer()
    exchange.feed(get)
    #expect(exchange.statuses == [102])
    var old = Exchange(late: ScriptedAnswer())
    old.finishPeer()
    old.feed("GET /a HTTP/1.0\r\n\(host)\r\n")
    #expect(old.output.isEmpty, "HTTP/1.0 has no interim responses")
    var quick = Exchange(late: ScriptedAnswer(.answer(Response(.noContent))))
    quick.finishPeer()
    quick.feed(get)
    #expect(quick.statuses == [204], "it does not wait")
  }

  @Test func `isAnswerNear is true while an answer waits briefly`() {
    let answer = ScriptedAnswer(.waitBriefly, .waitBriefly, .wait(milliseconds: nil), .waitBriefly)
    var exchange = Exchange(late: answer)
    #expect(!exchange.state.isAnswerNear)
    exchange.feed(get)
    #expect(exchange.state.isAnswerNear && exchange.output.isEmpty)
    exchange.wake()
    #expect(exchange.state.isAnswerNear)
    exchange.wake()
    #expect(!exchange.state.isAnswerNear)
    exchange.wake()
    #expect(exchange.state.isAnswerNear)
    answer.append(.answer(Response(.noContent)))
    exchange.wake()
    #expect(!exchange.state.isAnswerNear && exchange.statuses == [204])
  }

  @Test func `a deferred response equals an immediate one`() {
    let response = Response(.ok, contentType: "text/plain", body: Array("GET a  ".utf8))
    var late = Exchange(late: ScriptedAnswer(.wait(milliseconds: nil), .answer(response)))
    late.feed(get)
    late.wake()
    #expect(late.answerText == Exchange(Array(get.utf8)).answerText)
  }

  @Test func `every split of a deferred and a pipelined request gives the same`() {
    let raw = Array((get + "GET /b HTTP/1.1\r\n\(host)\r\n").utf8)
    let steps: [[LateStep]] = [
      [.answer(Response(.ok))], [begin, chunk("two"), .wait(milliseconds: nil), .end],
    ]
    for script in steps {
      var transcripts: Set<String> = []
      for cut in 1..<raw.count {
        let answer = ScriptedAnswer()
        for step in script { answer.append(step) }
        var exchange = Exchange(late: answer)
        exchange.feed(Array(raw[..<cut]))
        exchange.wake()
        exchange.feed(Array(raw[cut...]))
        exchange.wake()
        #expect(answer.stepsLeft == 0 && exchange.requests.count == 2, "cut at \(cut)")
        transcripts.insert(exchange.transcript)
      }
      #expect(transcripts.count == 1)
    }
  }

  @Test func `a deferred answer is asked at the requested time`() {
    let answer = ScriptedAnswer(.wait(milliseconds: 50), .answer(Response(.ok)))
    var exchange = Exchange(late: answer)
    exchange.feed(get)
    #expect(exchange.state.deadline == 50)
    exchange.pass(milliseconds: 49)
    #expect(exchange.statuses.isEmpty)
    exchange.pass(milliseconds: 1)
    #expect(exchange.statuses == [200])
  }

  @Test func `a wait of zero lasts at least a millisecond`() {
    var exchange = Exchange(late: ScriptedAnswer(.wait(milliseconds: 0)))
    exchange.feed(get)
    #expect(exchange.state.deadline == 1)
  }

  @Test func `closing cancels a deferred answer, and late wake-ups do nothing`() {
    let answer = ScriptedAnswer()
    var exchange = Exchange(late: answer)
    exchange.feed(get)
    exchange.state.abort()
    exchange.run()
    #expect(exchange.isClosed && answer.notes == ["start", "cancel"])
    answer.append(.answer(Response(.ok)))
    exchange.state.wake(now: exchange.now)
    #expect(answer.stepsLeft == 1)
  }

  @Test(arguments: [false, true])
  func `a client that finished sending still gets its response`(before: Bool) {
    let answer = ScriptedAnswer()
    var exchange = Exchange(late: answer)
    if before { exchange.finishPeer() }
    exchange.feed(get)
    if !before { exchange.finishPeer() }
    #expect(answer.notes == ["start", "finished"] && !exchange.isClosed)
    answer.append(.answer(Response(.ok)))
    exchange.wake()
    #expect(exchange.statuses == [102, 200])
    exchange.closePeer()
    #expect(exchange.isClosed && answer.notes == ["start", "finished"])
  }

  @Test(arguments: [false, true])
  func `a draining deferred answer may take its time`(before: Bool) {
    let answer = ScriptedAnswer()
    var exchange = Exchange(late: answer)
    exchange.feed(Array(get.utf8.prefix(before ? 5 : get.utf8.count)))
    exchange.drain()
    exchange.feed(Array(get.utf8.dropFirst(before ? 5 : get.utf8.count)))
    #expect(answer.notes == ["start", "drain"] && !exchange.isClosed)
    answer.append(.answer(Response(.ok)))
    exchange.wake()
    #expect(exchange.answerText.contains("\r\nConnection: close\r\n") && exchange.isWriteShut)
  }
}

@Suite struct StreamTests {
  @Test func `a waiting connection holds little memory`() {
    for script in [[], [begin]] {
      let answer = ScriptedAnswer()
      for step in script { answer.append(step) }
      var exchange = Exchange(late: answer)
      exchange.feed(get)
      let state = exchange.state
      #expect(state.input.capacity + state.output.bytes.capacity + state.body.capacity < 2_048)
    }
  }

  @Test func `a stream is sent in chunks, and the connection stays open`() {
    let answer = ScriptedAnswer(begin, chunk("0123456789abcdef"), .end)
    var exchange = Exchange(late: answer)
    exchange.feed(get)
    #expect(exchange.answerText.contains("\r\nTransfer-Encoding: chunked\r\n"))
    #expect(!exchange.answerText.contains("Content-Length"))
    #expect(
      exchange.answerText.hasSuffix("\r\n\r\n3\r\none\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n")
    )
    exchange.feed("GET /b HTTP/1.1\r\n\(host)\r\n")
    #expect(exchange.statuses == [200, 200] && answer.notes == ["start"])
  }

  @Test func `a stream without first content sends its head`() {
    var exchange = Exchange(late: ScriptedAnswer(.begin(Response(.ok))))
    exchange.feed(get)
    #expect(exchange.statuses == [200] && exchange.answerText.hasSuffix("\r\n\r\n"))
  }

  @Test(arguments: ["", "Connection: keep-alive\r\n"])
  func `an HTTP 1.0 stream ends with the connection`(fields: String) {
    var exchange = Exchange(late: ScriptedAnswer(begin, chunk("two"), .end))
    exchange.feed("GET /a HTTP/1.0\r\n\(fields)\r\n")
    #expect(exchange.answerText.hasSuffix("\r\nConnection: close\r\n\r\nonetwo"))
    #expect(!exchange.answerText.contains("Transfer-Encoding") && exchange.isWriteShut)
  }

  @Test func `HEAD gets the head of a stream and cancels the stream`() {
    let answer = ScriptedAnswer(begin, chunk("two"), .end)
    var exchange = Exchange(late: answer)
    exchange.feed("HEAD /a HTTP/1.1\r\n\(host)\r\nGET /b HTTP/1.1\r\n\(host)\r\n")
    #expect(exchange.statuses == [200, 200] && !exchange.answerText.contains("one"))
    #expect(exchange.answerText.contains("\r\nTransfer-Encoding: chunked\r\n"))
    #expect(answer.notes == ["start", "cancel"])
  }

  @Test func `a status without content ends a stream at once`() {
    let answer = ScriptedAnswer(.begin(Response(.notModified)))
    var exchange = Exchange(late: answer)
    exchange.feed(get + "GET /b HTTP/1.1\r\n\(host)\r\n")
    #expect(exchange.statuses == [304, 200] && answer.notes == ["start", "cancel"])
    #expect(!exchange.answerText.contains("Transfer-Encoding"))
  }

  @Test func `the next chunk is requested after the last one is written`() {
    let answer = ScriptedAnswer(begin, chunk("two"), chunk("three"))
    var exchange = Exchange(late: answer)
    exchange.takesOutput = false
    exchange.feed(get)
    #expect(answer.stepsLeft == 2)
    for _ in 0..<10 { exchange.wake() }
    exchange.state.wrote(exchange.state.unwritten.count - 1, now: exchange.now)
    exchange.run()
    #expect(answer.stepsLeft == 2)
    exchange.state.wrote(1, now: exchange.now)
    exchange.run()
    #expect(answer.stepsLeft == 1)
    exchange.takesOutput = true
    exchange.run()
    #expect(answer.stepsLeft == 0)
  }

  @Test func `an unread stream is reset and cancelled`() {
    let answer = ScriptedAnswer(begin)
    var exchange = Exchange(late: answer)
    exchange.takesOutput = false
    exchange.feed(get)
    exchange.pass(milliseconds: 19_999)
    #expect(!exchange.isClosed)
    exchange.pass(milliseconds: 1)
    #expect(exchange.isReset && answer.notes == ["start", "cancel"])
  }

  @Test func `draining ends a stream and closes the connection`() {
    let answer = ScriptedAnswer(begin, endsOnDrain: true)
    var exchange = Exchange(late: answer)
    exchange.feed(get)
    #expect(!exchange.answerText.contains("Connection: close"))
    exchange.drain()
    #expect(exchange.answerText.hasSuffix("\r\n0\r\n\r\n") && exchange.isWriteShut)
    #expect(answer.notes == ["start", "drain"])
  }

  @Test func `a stream that begins while draining announces the close`() {
    let answer = ScriptedAnswer()
    var exchange = Exchange(late: answer)
    exchange.feed(get)
    exchange.drain()
    answer.append(begin)
    exchange.wake()
    #expect(exchange.answerText.contains("\r\nConnection: close\r\n"))
  }
}

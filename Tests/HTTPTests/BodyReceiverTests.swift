import Testing

@testable import HTTP

private let announced = "POST /a HTTP/1.1\r\n\(host)Content-Length: 10\r\n\r\n0123456789"
private let chunked =
  "POST /a HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n"
  + "4\r\n0123\r\n6\r\n456789\r\n0\r\n\r\n"
private let next = "GET /b HTTP/1.1\r\n\(host)\r\n"
private let waiting =
  "POST /a HTTP/1.1\r\n\(host)Expect: 100-continue\r\nContent-Length: 10\r\n\r\n"

/// Returns an exchange with a receiver for all content, fed in two pieces.
private func exchange(
  _ receiver: NotedReceiver,
  _ text: String = "",
  cut: Int = 0,
  limits: Limits = Limits()
) -> Exchange {
  var exchange = Exchange(limits: limits)
  exchange.chooseReceiver = { _ in receiver }
  if cut > 0 { exchange.feed(Array(text.utf8.prefix(cut))) }
  exchange.feed(Array(text.utf8.dropFirst(cut)))
  return exchange
}

@Suite struct BodyReceiverTests {
  @Test(arguments: [announced, chunked])
  func `a receiver gets the content for every split of the input`(raw: String) {
    for cut in 0..<raw.utf8.count {
      let receiver = NotedReceiver()
      let exchange = exchange(receiver, raw + next, cut: cut)
      #expect(receiver.content == "0123456789" && receiver.endings == ["finished"])
      #expect(exchange.statuses == [200, 200], "cut at \(cut)")
      #expect(exchange.requests.map(Exchange.describe) == ["GET b  "])
    }
  }

  @Test func `a request without content has no receiver`() {
    let receiver = NotedReceiver()
    let exchange = exchange(receiver, next)
    #expect(exchange.requests.count == 1 && receiver.endings.isEmpty)
  }

  @Test func `a refused request has no receiver`() {
    let receiver = NotedReceiver()
    let exchange = exchange(receiver, announced.replacing("localhost", with: "evil.test"))
    #expect(exchange.statuses == [421] && receiver.content.isEmpty && receiver.endings.isEmpty)
  }

  @Test(arguments: [(9, 413), (10, 200)])
  func `the limit of the receiver applies to announced and chunked content`(
    maxBytes: Int,
    status: Int
  ) {
    for raw in [announced, chunked] {
      var limits = Limits()
      limits.maxBodyBytes = 1
      let receiver = NotedReceiver(maxBytes: maxBytes)
      let exchange = exchange(receiver, raw, limits: limits)
      #expect(exchange.statuses == [status])
      #expect(receiver.endings == [status == 413 ? "cancelled" : "finished"])
      #expect(exchange.answerText.contains("\"limit\":9}") == (status == 413))
    }
  }

  @Test func `a receiver may refuse before 100 Continue is sent`() {
    let patient = exchange(NotedReceiver(), waiting)
    #expect(patient.answerText == "HTTP/1.1 100 Continue\r\n\r\n")
    for raw in [waiting, announced] {
      let receiver = NotedReceiver(refusesAtOnce: true)
      let refused = exchange(receiver, raw)
      #expect(refused.statuses == [422] && !refused.answerText.contains(" 100 "))
      #expect(refused.isWriteShut && receiver.endings == ["refused at once"])
    }
  }

  @Test func `a receiver gets no more at a time than one read`() {
    let receiver = NotedReceiver(maxBytes: 10_000_000)
    var exchange = exchange(receiver, "POST /a HTTP/1.1\r\n\(host)Content-Length: 1000000\r\n\r\n")
    let piece = [UInt8](repeating: 0x61, count: 10_000)
    for _ in 0..<100 {
      exchange.feed(piece)
      #expect(exchange.state.input.count <= 10_000 && exchange.state.body.isEmpty)
    }
    #expect(receiver.longest == 10_000 && receiver.content.utf8.count == 1_000_000)
    #expect(exchange.statuses == [200])
  }

  @Test(arguments: [announced, chunked])
  func `a receiver may refuse midway, and the rest is discarded`(raw: String) {
    for cut in 0..<raw.utf8.count {
      let receiver = NotedReceiver(refusing: "5")
      let exchange = exchange(receiver, raw + next, cut: cut)
      #expect(exchange.statuses == [422] && exchange.requests.isEmpty, "cut at \(cut)")
      #expect(exchange.isWriteShut && !exchange.isClosed && receiver.endings == ["refused"])
    }
  }

  @Test(arguments: [announced, chunked])
  func `a receiver is cancelled if content ends early`(raw: String) {
    let head = raw.utf8.count - 10
    for length in head..<raw.utf8.count {
      let receiver = NotedReceiver()
      var exchange = exchange(receiver)
      exchange.feed(Array(raw.utf8.prefix(length)))
      exchange.closePeer()
      #expect(exchange.isClosed && receiver.endings == ["cancelled"], "\(length) bytes")
    }
  }

  @Test func `a receiver is cancelled by a framing fault`() {
    for cut in 0..<chunked.utf8.count {
      let receiver = NotedReceiver()
      let raw = chunked.replacing("\r\n6\r\n", with: "\r\nx\r\n")
      let exchange = exchange(receiver, raw, cut: cut)
      #expect(exchange.statuses == [400] && receiver.endings == ["cancelled"])
      #expect(receiver.content == "0123", "cut at \(cut)")
    }
  }

  @Test func `a receiver is cancelled if content pauses too long`() {
    let receiver = NotedReceiver()
    var exchange = exchange(receiver, String(announced.dropLast()))
    exchange.pass(milliseconds: 10_000)
    #expect(exchange.statuses == [408] && receiver.endings == ["cancelled"])
  }

  @Test func `content that a receiver collects counts as held until the response`() {
    let answer = ScriptedAnswer(.wait(milliseconds: nil), .answer(Response(.created)))
    let receiver = NotedReceiver(collects: true, answeringLate: answer)
    var exchange = exchange(receiver, String(announced.dropLast(4)))
    #expect(exchange.state.heldBytes == 6 && exchange.state.isCollecting)
    exchange.feed(Array(announced.utf8.suffix(4)))
    #expect(exchange.state.heldBytes >= 10 && !exchange.state.isCollecting)
    exchange.wake()
    #expect(exchange.statuses == [201] && exchange.state.heldBytes == 0)
  }

  @Test func `content that a receiver does not collect is not counted`() {
    var exchange = exchange(NotedReceiver(), String(announced.dropLast(4)))
    #expect(exchange.state.heldBytes == 0 && !exchange.state.isCollecting)
  }

  @Test func `content that a receiver collects may be given up`() {
    let receiver = NotedReceiver(collects: true)
    var exchange = exchange(receiver, String(announced.dropLast(4)))
    exchange.state.giveUp(with: Response(.serviceUnavailable), now: exchange.now)
    exchange.pass(milliseconds: 0)
    #expect(exchange.statuses == [503] && receiver.endings == ["cancelled"])
  }

  @Test func `the reply of a receiver may be deferred`() {
    let answer = ScriptedAnswer(.wait(milliseconds: nil), .answer(Response(.created)))
    let receiver = NotedReceiver(answeringLate: answer)
    var exchange = exchange(receiver, announced + next)
    #expect(exchange.output.isEmpty && receiver.endings == ["finished"])
    exchange.wake()
    #expect(exchange.statuses == [201, 200])
  }
}

import Testing

@testable import HTTP

@Suite struct RequestTests {
  @Test(arguments: goodRequests)
  func `a valid request is parsed and answered`(_ request: RequestCase) {
    let exchange = Exchange(request.raw)
    #expect(exchange.requests.map(Exchange.describe) == [request.understood])
    #expect(exchange.statuses == [200])
    #expect(exchange.isWriteShut == !request.keepsAlive)
    let saysClose = exchange.answerText.contains("\r\nConnection: close\r\n")
    #expect(saysClose == !request.keepsAlive)
    #expect(exchange.answerText.contains("\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n"))
  }

  @Test(arguments: goodRequests)
  func `every prefix of a valid request is incomplete`(_ request: RequestCase) {
    for length in 0..<request.raw.count {
      let exchange = Exchange(Array(request.raw[..<length]))
      #expect(exchange.requests.isEmpty, "\(length) bytes")
      #expect(exchange.statuses.isEmpty, "\(length) bytes")
      #expect(!exchange.isWriteShut && !exchange.isClosed, "\(length) bytes")
    }
  }

  @Test(arguments: goodRequests)
  func `a request cut short by the peer is never handled`(_ request: RequestCase) {
    for length in 0..<request.raw.count {
      var exchange = Exchange(Array(request.raw[..<length]))
      exchange.closePeer()
      #expect(exchange.requests.isEmpty && exchange.statuses.isEmpty, "\(length) bytes")
      #expect(exchange.isClosed, "\(length) bytes")
    }
  }

  @Test(arguments: goodRequests)
  func `every split of two valid requests gives the same`(_ request: RequestCase) {
    checkSplits(request.raw + request.raw)
  }

  @Test(arguments: allRefusals + lateRefusals)
  func `a bad request is refused by its rule`(_ refusal: RefusalCase) {
    let exchange = Exchange(refusal)
    #expect(exchange.requests.isEmpty)
    #expect(exchange.statuses == [refusal.rule.code.status.code])
    let problem = String(text: refusal.rule.problem.json)
    if refusal.rule == .misdirected, !refusal.raw.starts(with: "GET https:".utf8) {
      #expect(exchange.answerText.contains("This server does not answer to the host "))
    } else {
      #expect(exchange.answerText.hasSuffix("\r\n\r\n" + problem), "\(exchange.answerText)")
    }
    #expect(exchange.isWriteShut == !refusal.keepsAlive)
    #expect(exchange.answerText.contains("\r\nConnection: close\r\n") == !refusal.keepsAlive)
    #expect(exchange.answerText.contains("\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n"))
  }

  @Test(arguments: [
    ("evil.test:80", "evil.test:80."), (String(repeating: "e", count: 2_000), "eeee…."),
  ])
  func `421 shows the sent host and names the setting`(sent: String, shown: String) {
    let targets = [
      "GET / HTTP/1.1\r\nHost: \(sent)\r\n\r\n",
      "GET http://\(sent)/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ]
    for target in targets {
      let exchange = Exchange(Array(target.utf8))
      #expect(exchange.statuses == [421])
      #expect(exchange.answerText.contains("\(shown) Use a name it answers to"))
      #expect(exchange.answerText.contains(" allowedHosts."))
      #expect(exchange.answerText.utf8.count < 1_000)
    }
  }

  @Test(arguments: allRefusals)
  func `every split of a bad request gives the same`(_ refusal: RefusalCase) {
    checkSplits(refusal.raw, limits: refusal.limits)
  }

  @Test(arguments: allRefusals)
  func `a bad request does not lose the response to the one before`(_ refusal: RefusalCase) {
    let good = Array("GET /first HTTP/1.1\r\n\(host)\r\n".utf8)
    let exchange = Exchange(good + refusal.raw, limits: refusal.limits)
    #expect(exchange.requests.map(Exchange.describe) == ["GET first  "])
    #expect(exchange.statuses == [200, refusal.rule.code.status.code])
  }

  @Test(arguments: allRefusals)
  func `after a refusal, requests are served only if the connection stays open`(
    _ refusal: RefusalCase
  ) {
    let good = Array("GET /next HTTP/1.1\r\n\(host)\r\n".utf8)
    let exchange = Exchange(refusal.raw + good, limits: refusal.limits)
    #expect(exchange.requests.count == (refusal.keepsAlive ? 1 : 0))
  }

  @Test func `the content of a refused request is not parsed as a request`() {
    let smuggled = "GET /smuggled HTTP/1.1\r\n\(host)\r\n"
    let length = smuggled.utf8.count
    let exchange = Exchange(
      Array("BREW / HTTP/1.1\r\n\(host)Content-Length: \(length)\r\n\r\n\(smuggled)".utf8)
    )
    #expect(exchange.requests.isEmpty)
    #expect(exchange.statuses == [501])
    #expect(!exchange.isWriteShut)
  }

  @Test func `a mutated request gives the same result whole and byte by byte`() {
    var random = SeededRandom()
    for iteration in 0..<SeededRandom.iterations(default: 3_000) {
      var raw = goodRequests[random.next(below: goodRequests.count)].raw
      for _ in 0...random.next(below: 3) {
        let index = random.next(below: raw.count)
        switch random.next(below: 3) {
        case 0: raw[index] = SeededRandom.interesting[random.next(below: 16)]
        case 1: raw.insert(SeededRandom.interesting[random.next(below: 16)], at: index)
        default: raw.remove(at: index)
        }
      }
      raw += goodRequests[0].raw
      let whole = Exchange(raw).transcript
      let bytewise = Exchange(raw, cuts: Array(0..<raw.count)).transcript
      #expect(
        whole == bytewise,
        "seed \(random.seed), iteration \(iteration): \(String(text: raw))"
      )
    }
  }

  private func checkSplits(_ raw: [UInt8], limits: Limits = Limits()) {
    let whole = Exchange(raw, limits: limits).transcript
    for cut in 1..<raw.count {
      let transcript = Exchange(raw, cuts: [cut], limits: limits).transcript
      #expect(transcript == whole, "cut at \(cut)")
    }
    let bytewise = Exchange(raw, cuts: Array(0..<raw.count), limits: limits).transcript
    #expect(bytewise == whole, "byte by byte")
  }
}

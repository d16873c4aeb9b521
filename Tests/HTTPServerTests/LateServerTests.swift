import Dispatch
import HTTP
import HTTPServer
import Testing

private let begin = LateStep.begin(Response(.ok, body: Array("one".utf8)))

private func chunk(_ text: String) -> LateStep { .chunk(Array(text.utf8)) }

@Suite struct LateServerTests {
  @Test func `a thousand deferred answers do not block other requests`() throws {
    Process.allowDescriptors()
    let answers = (0..<1_000).map { _ in HeldAnswer() }
    let handler = LateHandler(answers: answers)
    try withServer(handler: handler, loops: 1, maxConnections: 2_000) { server in
      let threads = Process.threadCount
      let clients = answers.map { _ in Client(port: server.port) }
      for (index, client) in clients.enumerated() { client.send(get("/late/\(index)")) }
      for answer in answers { #expect(answer.waitForStart()) }
      // Other tests start threads meanwhile, but fewer than there are polls.
      #expect(Process.threadCount - threads < 200)
      let other = Client(port: server.port)
      #expect(other.exchange(get("/other"), endingIn: ">").statuses == [200])
      for (index, answer) in answers.enumerated() {
        answer.give(.answer(Response(.ok, body: Array("<\(index)>".utf8))))
      }
      for (index, client) in clients.enumerated() {
        #expect(client.read(endingIn: ">").hasSuffix("<\(index)>"))
        #expect(client.exchange(get("/"), endingIn: ">").statuses == [200])
      }
      for answer in answers { #expect(answer.askCount == 2) }
    }
  }

  @Test func `a stream is sent as it comes, then pipelined requests`() throws {
    let answer = HeldAnswer(begin)
    try withServer(handler: LateHandler(answers: [answer])) { server in
      let client = Client(port: server.port)
      client.send(get("/late/0") + get("/behind"))
      #expect(client.read(endingIn: "one\r\n").statuses == [200])
      #expect(answer.waitForVainAsking())
      answer.give(chunk("two"))
      #expect(client.read(endingIn: "two\r\n") == "3\r\ntwo\r\n")
      #expect(answer.waitForVainAsking())
      answer.give(.end)
      #expect(client.read(endingIn: ">").hasSuffix("GET /behind <>"))
    }
  }

  @Test func `a deferred answer that never begins gives 503`() throws {
    let answer = HeldAnswer()
    try withServer(
      handler: LateHandler(answers: [answer]),
      limits: { $0.handlerTimeoutMilliseconds = 50 }
    ) { server in
      let client = Client(port: server.port)
      #expect(client.exchange(get("/late/0"), endingIn: "}").statuses == [503])
      #expect(answer.waitForCancel())
    }
  }

  @Test func `a client that finished sending gets its deferred answer`() throws {
    let answer = HeldAnswer()
    try withServer(handler: LateHandler(answers: [answer])) { server in
      let client = Client(port: server.port)
      client.send(get("/late/0"))
      client.finish()
      #expect(answer.waitForFinishedClient())
      // The interim response comes only while the answer is awaited.
      #expect(client.read(endingIn: "\r\n\r\n").statuses == [102])
      answer.give(.answer(Response(.noContent)))
      let (text, ending) = client.readToEnd()
      #expect(text.statuses == [204] && ending == .closed)
    }
  }

  @Test func `a client that closes its connection cancels its deferred answer`() throws {
    let answer = HeldAnswer()
    try withServer(handler: LateHandler(answers: [answer])) { server in
      var client: Client? = Client(port: server.port)
      client?.send(get("/late/0"))
      #expect(answer.waitForStart())
      client = nil
      #expect(answer.waitForCancel())
    }
  }

  @Test func `a reset connection cancels its deferred answer`() throws {
    let answers = [HeldAnswer(), HeldAnswer(begin)]
    try withServer(handler: LateHandler(answers: answers)) { server in
      for (index, answer) in answers.enumerated() {
        let client = Client(port: server.port)
        client.send(get("/late/\(index)"))
        #expect(answer.waitForStart())
        client.reset()
        #expect(answer.waitForCancel())
      }
    }
  }

  @Test func `writing detects a client that vanished`() throws {
    let answer = HeldAnswer(begin, probes: true)
    try withServer(handler: LateHandler(answers: [answer])) { server in
      var client: Client? = Client(port: server.port)
      #expect(client?.exchange(get("/late/0"), endingIn: "one\r\n").statuses == [200])
      client = nil
      #expect(answer.waitForCancel())
    }
  }

  @Test func `a stalled reader blocks nobody and holds limited memory`() throws {
    let endless = EndlessAnswer()
    try withServer(handler: LateHandler(answers: [endless]), loops: 1) { server in
      let stuck = Client(port: server.port, receiveBufferBytes: 4_096)
      stuck.send(get("/late/0"))
      let other = Client(port: server.port)
      // The system buffers some megabytes. After that, no more pieces are requested.
      var last = -1
      var rounds = 0
      while endless.pieceCount != last, rounds < 1_000 {
        last = endless.pieceCount
        rounds += 1
        for _ in 0..<50 { #expect(other.exchange(get("/"), endingIn: ">").statuses == [200]) }
      }
      #expect(last > 0 && last * EndlessAnswer.pieceBytes < 32 * 1024 * 1024)
    }
  }

  @Test func `concurrent wake-ups are safe and none is lost`() throws {
    let answers = [HeldAnswer(begin), HeldAnswer(begin), HeldAnswer(begin)]
    try withServer(handler: LateHandler(answers: answers), loops: 1) { server in
      let clients = answers.indices.map { index in
        let client = Client(port: server.port)
        #expect(client.exchange(get("/late/\(index)"), endingIn: "one\r\n").statuses == [200])
        return client
      }
      clients[2].reset()
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for _ in 0..<5_000 { for answer in answers { answer.wake() } }
        answers[0].give(chunk("<\(thread)>"))
      }
      // A connection that reuses the descriptor is not woken instead.
      #expect(answers[2].waitForCancel())
      answers[2].wake()
      let other = Client(port: server.port)
      #expect(other.exchange(get("/"), endingIn: ">").statuses == [200])
      answers[0].give(.end)
      let text = clients[0].read(endingIn: "0\r\n\r\n")
      for thread in 0..<4 { #expect(text.contains("<\(thread)>")) }
      answers[1].give(.end)
      #expect(clients[1].read(endingIn: "0\r\n\r\n") == "0\r\n\r\n")
    }
    for answer in answers { answer.wake() }
  }
}

@Suite struct StreamedBodyTests {
  @Test(arguments: [true, false])
  func `a receiver gets fifty megabytes one read at a time`(isChunked: Bool) throws {
    let sink = SinkReceiver(maxBytes: 60_000_000)
    try withServer(handler: LateHandler(answers: [], sink: sink)) { server in
      let client = Client(port: server.port)
      let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 50000000"
      client.send("POST /sink HTTP/1.1\r\n\(host)\(framing)\r\n\r\n")
      let piece = [UInt8](repeating: 0x61, count: 1_000_000)
      for _ in 0..<50 {
        if isChunked { client.send("F4240\r\n") }
        client.send(piece)
        if isChunked { client.send("\r\n") }
      }
      if isChunked { client.send("0\r\n\r\n") }
      #expect(client.read(endingIn: ">").hasSuffix("<50000000>"))
      #expect(sink.longest <= 128 * 1024)
      #expect(client.exchange(get("/"), endingIn: ">").statuses == [200])
    }
  }

  @Test func `a refusal midway can be read by a client that still sends`() throws {
    let sink = SinkReceiver(maxBytes: 60_000_000, refusedAfter: 100_000)
    try withServer(handler: LateHandler(answers: [], sink: sink)) { server in
      let client = Client(port: server.port)
      client.send("POST /sink HTTP/1.1\r\n\(host)Content-Length: 20000000\r\n\r\n")
      #expect(client.send([UInt8](repeating: 0x78, count: 20_000_000)))
      client.finish()
      let (text, ending) = client.readToEnd()
      #expect(text.statuses == [422] && ending == .closed)
      #expect(text.contains("\r\nConnection: close\r\n"))
    }
  }
}

@Suite struct LateStopTests {
  @Test func `stopping ends streams`() throws {
    let answers = (0..<20).map { _ in HeldAnswer(begin, endsOnDrain: true) }
    try withServer(handler: LateHandler(answers: answers)) { server in
      let clients = answers.indices.map { index in
        let client = Client(port: server.port)
        #expect(client.exchange(get("/late/\(index)"), endingIn: "one\r\n").statuses == [200])
        return client
      }
      let stopped = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        server.stop(withinMilliseconds: 60_000)
        stopped.signal()
      }
      for client in clients {
        let (text, ending) = client.readToEnd()
        #expect(text == "0\r\n\r\n" && ending == .closed)
        client.finish()
      }
      #expect(stopped.wait(timeout: .now() + 10) == .success)
    }
  }

  @Test func `stopping cancels answers that do not end in time`() throws {
    let answers = [HeldAnswer(), HeldAnswer(begin)]
    try withServer(handler: LateHandler(answers: answers)) { server in
      let clients = answers.indices.map { index in
        let client = Client(port: server.port)
        client.send(get("/late/\(index)"))
        return client
      }
      for answer in answers { #expect(answer.waitForStart()) }
      server.stop(withinMilliseconds: 50)
      for answer in answers { #expect(answer.waitForCancel()) }
      for client in clients { #expect(client.readToEnd().ending != .silent) }
    }
  }
}

import Dispatch
import HTTP
import HTTPServer
import Testing

@Suite struct ServerTests {
  @Test func `a connection serves one request after another`() throws {
    try withServer { server in
      let client = Client(port: server.port)
      for index in 0..<20 {
        let answer = client.exchange(get("/\(index)"), endingIn: ">")
        #expect(answer.statuses == [200] && answer.hasSuffix("GET /\(index) <>"))
      }
    }
  }

  @Test func `pipelined requests are answered in order, also before a bad one`() throws {
    try withServer { server in
      let client = Client(port: server.port)
      client.send((0..<200).map { get("/\($0)") }.joined() + "BAD\r\n")
      let (text, ending) = client.readToEnd()
      #expect(ending == .closed)
      #expect(text.statuses == Array(repeating: 200, count: 200) + [400])
      let paths = text.split(separator: "GET /").dropFirst().compactMap {
        Int($0.prefix { $0 != " " })
      }
      #expect(paths == Array(0..<200))
    }
  }

  @Test func `a request that arrives byte by byte is served`() throws {
    try withServer { server in
      let client = Client(port: server.port)
      for byte in get("/a").utf8 { client.send([byte]) }
      #expect(client.read(endingIn: ">").hasSuffix("GET /a <>"))
    }
  }

  @Test func `announced and chunked content arrives complete`() throws {
    try withServer { server in
      let client = Client(port: server.port)
      let content = String(repeating: "0123456789", count: 100_000)
      let head = "POST /a HTTP/1.1\r\n\(host)"
      let announced = client.exchange(
        "\(head)Content-Length: 1000000\r\n\r\n\(content)",
        endingIn: ">"
      )
      #expect(announced.hasSuffix("<\(content)>"))
      let chunked = client.exchange(
        "\(head)Transfer-Encoding: chunked\r\n\r\nF4240\r\n\(content)\r\n0\r\n\r\n",
        endingIn: ">"
      )
      #expect(chunked.hasSuffix("<\(content)>"))
    }
  }

  @Test func `a client that expects 100 Continue gets it`() throws {
    try withServer { server in
      let client = Client(port: server.port)
      let head = "PUT /a HTTP/1.1\r\n\(host)Expect: 100-continue\r\nContent-Length: 2\r\n\r\n"
      #expect(client.exchange(head, endingIn: "\r\n\r\n").statuses == [100])
      #expect(client.exchange("hi", endingIn: ">").statuses == [200])
    }
  }

  @Test func `HEAD has the fields of GET and no content`() throws {
    try withServer { server in
      let client = Client(port: server.port)
      client.send("HEAD /a HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
      let (text, ending) = client.readToEnd()
      #expect(text.hasSuffix("\r\n\r\n") && text.contains("\r\nContent-Length: 10\r\n"))
      #expect(ending == .closed)
    }
  }

  @Test func `a request of a client that finished sending is answered`() throws {
    try withServer { server in
      let client = Client(port: server.port)
      client.send(get("/a"))
      client.finish()
      let (text, ending) = client.readToEnd()
      #expect(text.statuses == [200] && ending == .closed)
    }
  }

  @Test func `the refusal of too much content can be read by a client that still sends`() throws {
    try withServer(limits: { $0.maxBodyBytes = 1_000 }) { server in
      for framing in ["Content-Length: 20000000", "Transfer-Encoding: chunked"] {
        let client = Client(port: server.port)
        client.send("POST /a HTTP/1.1\r\n\(host)\(framing)\r\n\r\n1312D00\r\n")
        #expect(client.send([UInt8](repeating: 0x78, count: 20_000_000)))
        client.finish()
        let (text, ending) = client.readToEnd()
        #expect(text.statuses == [413] && text.contains(#""limit":1000}"#))
        #expect(ending == .closed)
      }
    }
  }

  @Test func `a large response arrives complete at a slow reader`() throws {
    try withServer(handler: BulkHandler(count: 5_000_000)) { server in
      let client = Client(port: server.port, receiveBufferBytes: 4_096)
      client.send("GET / HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
      let (text, ending) = client.readToEnd()
      let head = text.utf8.count - 5_000_000
      #expect(head > 0 && head < 300)
      #expect(ending == .closed)
    }
  }

  @Test func `a foreign host gets 421 on a loopback address`() throws {
    try withServer { server in
      let client = Client(port: server.port)
      let answer = client.exchange("GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n", endingIn: "}")
      #expect(answer.statuses == [421])
    }
  }

  @Test func `many connections at once are served`() throws {
    try withServer { server in
      let clients = (0..<200).map { _ in Client(port: server.port) }
      for (index, client) in clients.enumerated() { client.send(get("/\(index)")) }
      for (index, client) in clients.enumerated() {
        #expect(client.read(endingIn: ">").hasSuffix("GET /\(index) <>"))
      }
    }
  }
}

@Suite struct TimeoutTests {
  @Test func `a head that does not end is answered with 408`() throws {
    try withServer(limits: { $0.headerTimeoutMilliseconds = 500 }) { server in
      let client = Client(port: server.port)
      client.send("GET / HTTP/1.1\r\n")
      let (text, ending) = client.readToEnd()
      #expect(text.statuses == [408] && ending == .closed)
    }
  }

  @Test func `content that trickles is answered with 408`() throws {
    try withServer(limits: { $0.bodyTimeoutMilliseconds = 100 }) { server in
      let client = Client(port: server.port)
      client.send("POST / HTTP/1.1\r\n\(host)Content-Length: 1000000\r\n\r\n")
      // Each byte is within the allowed pause; together they are too slow.
      var text = ""
      for _ in 0..<500 where text.isEmpty {
        client.send("x")
        text = client.poll(milliseconds: 10)
      }
      #expect(text.statuses == [408])
    }
  }

  @Test func `an idle connection is closed without a response`() throws {
    try withServer(limits: { $0.idleTimeoutMilliseconds = 50 }) { server in
      let client = Client(port: server.port)
      client.send(get("/"))
      let (text, ending) = client.readToEnd()
      #expect(text.statuses == [200] && ending == .closed)
    }
  }

  @Test func `a client that reads nothing is reset`() throws {
    try withServer(
      handler: BulkHandler(count: 20_000_000),
      limits: { $0.writeStallMilliseconds = 50 }
    ) { server in
      let client = Client(port: server.port, receiveBufferBytes: 4_096)
      client.send(get("/"))
      #expect(client.waitForReset())
    }
  }
}

@Suite struct StopTests {
  @Test func `stopping closes idle connections at once`() throws {
    try withServer { server in
      let client = Client(port: server.port)
      _ = client.exchange(get("/"), endingIn: ">")
      server.stop(withinMilliseconds: 60_000)
      #expect(client.readToEnd().ending == .closed)
    }
  }

  @Test func `stopping waits for the current request and announces the close`() throws {
    var options = ServerOptions()
    options.port = 0
    let server = try Server(options: options, limits: Limits(), handler: EchoHandler())
    try server.start()
    let busy = Client(port: server.port)
    let head = "PUT /a HTTP/1.1\r\n\(host)Expect: 100-continue\r\nContent-Length: 2\r\n\r\n"
    #expect(busy.exchange(head, endingIn: "\r\n\r\n").statuses == [100])
    let idle = Client(port: server.port)
    _ = idle.exchange(get("/"), endingIn: ">")
    let stopped = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      server.stop(withinMilliseconds: 60_000)
      stopped.signal()
    }
    // The idle connection is closed once the stop has begun.
    #expect(idle.readToEnd().ending == .closed)
    // The other loop may be a moment later.
    #expect(Client.waitUntilRefused(server.port))
    let answer = busy.exchange("hi", endingIn: ">")
    #expect(answer.statuses == [200] && answer.contains("\r\nConnection: close\r\n"))
    busy.finish()
    #expect(busy.readToEnd().ending == .closed)
    #expect(stopped.wait(timeout: .now() + 5) == .success)
  }

  @Test func `requests sent before the stop are answered`() throws {
    try withServer { server in
      let clients = (0..<100).map { _ in Client(port: server.port) }
      for client in clients { client.send(get("/")) }
      server.stop(withinMilliseconds: 5_000)
      for client in clients { #expect(client.readToEnd().text.statuses == [200]) }
    }
  }

  @Test func `stopping does not wait beyond its deadline`() throws {
    try withServer { server in
      let client = Client(port: server.port)
      let head = "PUT /a HTTP/1.1\r\n\(host)Expect: 100-continue\r\nContent-Length: 2\r\n\r\n"
      #expect(client.exchange(head, endingIn: "\r\n\r\n").statuses == [100])
      server.stop(withinMilliseconds: 20)
      #expect(client.readToEnd().ending != .silent)
    }
  }

  @Test func `stopping a server that is not running does nothing`() throws {
    var options = ServerOptions()
    options.port = 0
    let server = try Server(options: options, limits: Limits(), handler: EchoHandler())
    #expect(Client.isListening(server.port))
    server.stop(withinMilliseconds: 0)
    server.stop(withinMilliseconds: 0)
    #expect(!Client.isListening(server.port))
  }
}

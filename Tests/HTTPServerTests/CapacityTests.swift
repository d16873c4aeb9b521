import HTTP
import HTTPServer
import Testing

@Suite struct CapacityTests {
  @Test func `beyond the limit the connection idle longest is closed`() throws {
    try withServer(loops: 1, maxConnections: 2) { server in
      var clients: [Client] = []
      for _ in 0..<10 {
        let client = Client(port: server.port)
        #expect(client.exchange(get("/"), endingIn: ">").statuses == [200])
        clients.append(client)
      }
      #expect(clients[7].readToEnd().ending == .closed)
      #expect(clients[8].exchange(get("/"), endingIn: ">").statuses == [200])
    }
  }

  /// A loop closes only its own connections, and a client cannot choose its loop.
  @Test func `an idle connection of another loop is closed for a second try`() throws {
    try withServer(loops: 2, maxConnections: 1) { server in
      var idle = Client(port: server.port)
      #expect(idle.exchange(get("/"), endingIn: ">").statuses == [200])
      for _ in 0..<12 {
        let first = Client(port: server.port)
        idle =
          if first.exchange(get("/"), endingIn: ">").statuses == [200] { first } else {
            try #require(secondTry(after: idle, port: server.port))
          }
      }
    }
  }

  /// Returns a client that connects after the idle connection was closed, if it is served.
  private func secondTry(after idle: Client, port: UInt16) -> Client? {
    guard idle.readToEnd().ending == .closed else { return nil }
    let second = Client(port: port)
    return second.exchange(get("/"), endingIn: ">").statuses == [200] ? second : nil
  }

  @Test func `beyond the limit a connection is answered with 503 if none is idle`() throws {
    try withServer(maxConnections: 2) { server in
      let busy = (0..<2).map { _ in Client(port: server.port) }
      for client in busy {
        let head = "PUT / HTTP/1.1\r\n\(host)Expect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        #expect(client.exchange(head, endingIn: "\r\n\r\n").statuses == [100])
      }
      let (text, ending) = Client(port: server.port).readToEnd()
      #expect(text.statuses == [503] && text.contains("\r\nRetry-After: 1\r\n"))
      #expect(ending == .closed)
      for client in busy { #expect(client.exchange("hi", endingIn: ">").statuses == [200]) }
    }
  }

  @Test func `listening on a port in use fails`() throws {
    try withServer { server in
      var options = ServerOptions()
      options.port = server.port
      #expect(throws: ServerError.portInUse(server.port)) {
        try Server(options: options, limits: Limits(), handler: EchoHandler())
      }
    }
  }

  @Test func `an invalid host is refused`() {
    var options = ServerOptions()
    options.host = "nowhere.test"
    #expect(throws: ServerError.invalidHost("nowhere.test")) {
      try Server(options: options, limits: Limits(), handler: EchoHandler())
    }
  }
}

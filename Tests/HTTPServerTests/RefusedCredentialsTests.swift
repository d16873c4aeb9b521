import HTTP
import Testing

@testable import HTTPServer

/// Blocking of addresses with repeatedly refused credentials.
@Suite struct RefusedCredentialsTests {
  /// A handler that accepts one password.
  private struct Guard: RequestHandler {
    func caller(of request: Request) -> String? {
      let word = request.fields.value(.authorization)
      return word?.elementsEqual("good".utf8) == true ? "somebody" : nil
    }

    func respond(to request: Request) -> Reply {
      let isOpen = request.target.segment(at: 0).elementsEqual("open".utf8)
      let isFine = isOpen || caller(of: request) != nil
      return .response(Response(isFine ? .ok : .unauthorized, body: Array("<>".utf8)))
    }
  }

  private func withLimit(
    _ limit: Int,
    exemptsLoopback: Bool = false,
    _ body: (Server) throws -> Void
  ) throws {
    try withServer(
      handler: Guard(),
      options: {
        $0.maxRefusedCredentialsPerAddress = limit
        $0.maxConnectionsPerAddress = 0
        $0.exemptsLoopback = exemptsLoopback
      },
      body
    )
  }

  private func ask(_ server: Server, from number: UInt8, showing word: String?) -> String {
    let field = word.map { "Authorization: \($0)\r\n" } ?? ""
    let client = Client(port: server.port, from: number)
    client.send("GET / HTTP/1.1\r\n\(host)\(field)Connection: close\r\n\r\n")
    return client.readToEnd().text
  }

  @Test func `an address is blocked after the limit, others are not`() throws {
    try withLimit(3) { server in
      for word in ["good", "bad", "worse", "good", "worst"] {
        #expect(ask(server, from: 2, showing: word).statuses == [word == "good" ? 200 : 401])
      }
      for word in ["bad", "good"] {
        let text = ask(server, from: 2, showing: word)
        #expect(text.statuses == [429] && text.contains(#""code":"too-many-requests""#))
        let seconds = text.split(separator: "Retry-After: ").last?.prefix { $0.isNumber }
        #expect((1...60).contains(seconds.flatMap { Int($0) } ?? 0))
      }
      #expect(ask(server, from: 2, showing: nil).statuses == [401])
      #expect(ask(server, from: 3, showing: "good").statuses == [200])
    }
  }

  @Test func `requests with content on a kept connection are blocked`() throws {
    try withLimit(1) { server in
      let client = Client(port: server.port, from: 2)
      let bad = "POST / HTTP/1.1\r\n\(host)Authorization: bad\r\nContent-Length: 1\r\n\r\nx"
      #expect(client.exchange(bad, endingIn: ">").statuses == [401])
      #expect(client.exchange(bad, endingIn: "}").statuses == [429])
    }
  }

  @Test func `a trusted connection is served until its first refusal`() throws {
    try withLimit(1) { server in
      func ask(_ client: Client, _ word: String, at path: String = "/") -> [Int] {
        let request = "GET \(path) HTTP/1.1\r\n\(host)Authorization: \(word)\r\n\r\n"
        client.send(request)
        return client.read { [UInt8(ascii: ">"), UInt8(ascii: "}")].contains($0.last) }.text
          .statuses
      }
      let (known, unknown) = (
        Client(port: server.port, from: 2), Client(port: server.port, from: 2)
      )
      #expect(ask(known, "good") == [200])
      // A successful response alone does not make a connection trusted.
      #expect(ask(unknown, "bad", at: "/open") == [200])
      #expect(self.ask(server, from: 2, showing: "bad").statuses == [401])
      #expect(ask(unknown, "good") == [429])
      #expect(ask(known, "good") == [200])
      #expect(ask(known, "bad") == [401])
      #expect(ask(known, "good") == [429])
    }
  }

  @Test func `loopback, no credentials and limit 0 are not blocked`()
    throws
  {
    try withLimit(1, exemptsLoopback: true) { server in
      for _ in 0..<3 { #expect(ask(server, from: 2, showing: "bad").statuses == [401]) }
    }
    try withLimit(0) { server in
      for _ in 0..<3 { #expect(ask(server, from: 2, showing: "bad").statuses == [401]) }
    }
    try withLimit(1) { server in
      for _ in 0..<3 { #expect(ask(server, from: 2, showing: nil).statuses == [401]) }
      #expect(ask(server, from: 2, showing: "good").statuses == [200])
    }
  }

  @Test func `counts expire after a minute and are limited in number`() {
    let refused = RefusedCredentials(limit: 2)
    let address = PeerAddress([10, 0, 0, 1])
    #expect(refused.secondsLeft(for: address, at: 0) == nil)
    refused.record(address, at: 1_000)
    #expect(refused.secondsLeft(for: address, at: 1_000) == nil)
    refused.record(address, at: 31_000)
    #expect(refused.secondsLeft(for: address, at: 31_001) == 30)
    #expect(refused.secondsLeft(for: address, at: 60_999) == 1)
    #expect(refused.secondsLeft(for: address, at: 61_000) == nil)
    #expect(refused.addressCount == 0)
    for number in 0..<(RefusedCredentials.maxAddresses + 100) {
      let bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
      refused.record(PeerAddress([11] + bytes), at: 100_000)
    }
    #expect(refused.addressCount == RefusedCredentials.maxAddresses)
    refused.record(address, at: 160_000)
    #expect(refused.addressCount == 1)
  }
}

import Glibc
import HTTP
import Synchronization
import Testing

@testable import HTTPServer

/// A server that answers some requests of each connection and loses the next one.
private final class ForgetfulServer: Sendable {
  let port: UInt16
  private let listener: FileDescriptor
  private let received = Mutex<[String]>([])

  /// Starts with the number of requests that each connection answers before it is lost.
  init(answering counts: [Int]) throws {
    let address = try #require(SocketAddress(host: "127.0.0.1", port: 0))
    listener = try Syscalls.bind(to: address, sharesPort: false)
    let number = listener.number
    try Syscalls.listen(number, acceptBacklog: 10)
    port = try Syscalls.port(of: number)
    _ = fcntl(number, F_SETFL, 0)
    _ = try Syscalls.startThread(stackBytes: 1 << 20) { [self] in
      for count in counts { serve(count, on: accept(number, nil, nil)) }
    }
  }

  /// The request lines that arrived, the lost ones included.
  var requests: [String] { received.withLock { $0 } }

  private func serve(_ count: Int, on connection: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    for number in 0...count {
      let length = unsafe recv(connection, &buffer, buffer.count, 0)
      guard length > 0 else { break }
      let text = String(decoding: buffer[..<length], as: UTF8.self)
      received.withLock { $0.append(String(text.prefix { $0 != "\r\n" })) }
      let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
      if number < count { _ = unsafe send(connection, answer, answer.count, 0) }
    }
    close(connection)
  }
}

@Suite struct `A connection that is lost when it is used again` {
  private static func ask(
    _ upstream: Upstream,
    _ port: UInt16,
    _ method: HTTP.Method,
    key: String? = nil
  ) throws -> ForwardedNews.Ending? {
    var fields = Fields()
    if let key { fields.append(.idempotencyKey, key) }
    let request = try Request(method: method, target: "/", fields: fields)
    let outgoing = OutgoingRequest(forwarding: request, content: .whole([]))
    let exchange = upstream.send(outgoing, to: "127.0.0.1:\(port)")
    for _ in 0..<10_000 {
      if let ending = exchange.news().ending { return ending }
      usleep(1_000)
    }
    return nil
  }

  @Test(arguments: [(HTTP.Method.get, nil), (.post, "key")] as [(HTTP.Method, String?)])
  func `is replaced where that does no harm`(method: HTTP.Method, key: String?) throws {
    let server = try ForgetfulServer(answering: [1, 1])
    let upstream = try Upstream()
    defer { upstream.stop() }
    #expect(try Self.ask(upstream, server.port, .get) == .whole)
    #expect(try Self.ask(upstream, server.port, method, key: key) == .whole)
    #expect(server.requests.count == 3)
  }

  @Test func `leaves it unknown if a change was made`() throws {
    let server = try ForgetfulServer(answering: [1, 1])
    let upstream = try Upstream()
    defer { upstream.stop() }
    #expect(try Self.ask(upstream, server.port, .get) == .whole)
    #expect(try Self.ask(upstream, server.port, .post) == .unknown)
    #expect(server.requests == ["GET / HTTP/1.1", "POST / HTTP/1.1"])
  }

  @Test func `is not replaced twice`() throws {
    let server = try ForgetfulServer(answering: [1, 0])
    let upstream = try Upstream()
    defer { upstream.stop() }
    #expect(try Self.ask(upstream, server.port, .get) == .whole)
    #expect(try Self.ask(upstream, server.port, .get) == .unknown)
    #expect(server.requests.count == 3)
  }
}

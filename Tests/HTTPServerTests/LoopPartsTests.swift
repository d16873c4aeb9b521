import HTTP
import Testing

@testable import HTTPServer

@Suite struct LoopPartsTests {
  @Test func `timers come in order and not before their time`() {
    // A fixed sequence that visits every residue once, in a scattered order.
    let times = (0..<1_000).map { $0 * 7_919 % 1_000 }
    var queue = TimerQueue()
    for time in times {
      queue.insert(EventToken(permanent: Int32(time)), at: time)
    }
    for now in 0..<1_000 {
      #expect(queue.next == now)
      #expect(queue.popDue(now: now - 1) == nil)
      #expect(queue.popDue(now: now)?.token.descriptor == Int32(now))
    }
    #expect(queue.next == nil)
  }

  @Test(arguments: [(1, 0), (1, 1), (7, 1_023), (UInt32.max, Int32.max)])
  func `a token goes through 64 bits and back`(generation: UInt32, descriptor: Int32) {
    let token = EventToken(generation: generation, descriptor: descriptor)
    #expect(EventToken(packed: token.packed) == token)
  }

  /// A descriptor's number is used again at once, and an event for its former owner may be late.
  @Test func `what is about the former owner of a descriptor finds nobody`() throws {
    let address = try #require(SocketAddress(host: "127.0.0.1", port: 0))
    let listener = try Syscalls.listen(on: address, backlog: 8, isShared: false)
    let port = try Syscalls.port(of: listener.number)
    let loop = EventLoop(
      settings: Self.settings,
      resources: try LoopResources(listener: listener),
      metrics: LoopMetrics(routes: 2)
    )
    var former: [EventToken] = []
    for _ in 0..<50 {
      let client = Client(port: port)
      loop.acceptWaiting(atMost: 1)
      let connection = try #require(loop.connections.compactMap(\.self).first)
      #expect(loop.connection(for: connection.token) === connection)
      #expect(!former.contains(connection.token))
      for token in former { #expect(loop.connection(for: token) == nil) }
      former.append(connection.token)
      loop.close(connection)
      client.finish()
    }
    let numbers = Set(former.map(\.descriptor))
    #expect(numbers.count < former.count, "a number was used again")
  }

  private static let settings = EventLoop.Settings(
    limits: Limits(),
    hosts: .any,
    connectionsMax: 10,
    heldBytesMax: .max,
    addresses: nil,
    refusedCredentials: nil,
    exemptsLoopback: true,
    handler: EchoHandler(),
    coding: nil,
    router: Router(),
    connectionCount: SharedCount(),
    held: SharedCount(),
    log: nil,
    spinMicrosecondsMax: 0
  )

  @Test(arguments: [
    ("127.0.0.1", true), ("localhost", true), ("127.8.8.8", true), ("::1", true),
    ("0.0.0.0", false), ("::", false), ("192.168.1.1", false), ("2001:db8::1", false),
  ])
  func `a loopback address is known as one`(host: String, isLoopback: Bool) {
    #expect(SocketAddress(host: host, port: 1)?.isLoopback == isLoopback)
  }
}

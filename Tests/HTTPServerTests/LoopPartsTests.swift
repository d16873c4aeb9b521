import Glibc
import HTTP
import Testing

@testable import HTTPServer

@Suite struct LoopPartsTests {
  @Test func `timers expire in order and not early`() {
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
  func `a token is packed into 64 bits and restored`(generation: UInt32, descriptor: Int32) {
    let token = EventToken(generation: generation, descriptor: descriptor)
    #expect(EventToken(packed: token.packed) == token)
  }

  /// A descriptor number is reused at once, and an event for its former owner may arrive late.
  @Test func `a token of a reused descriptor finds no connection`() throws {
    let (loop, port) = try Self.makeLoop()
    var former: [EventToken] = []
    for _ in 0..<50 {
      let client = Client(port: port)
      loop.acceptWaiting(atMost: 1, within: TimeSlice())
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

  /// A peer that vanished behind a broken link acknowledges nothing more.
  @Test func `accepted connections have the configured user timeout`() throws {
    let (loop, port) = try Self.makeLoop(silenceMilliseconds: 12_345)
    let client = Client(port: port)
    loop.acceptWaiting(atMost: 1, within: TimeSlice())
    let connection = try #require(loop.connections.compactMap(\.self).first)
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    let number = connection.descriptor.number
    let level = Int32(IPPROTO_TCP)
    #expect(unsafe getsockopt(number, level, TCP_USER_TIMEOUT, &value, &size) == 0)
    #expect(value == 12_345)
    client.finish()
  }

  @Test func `the user timeout follows from the minimum rate`() {
    var limits = Limits()
    // 64 KiB at 500 bytes a second.
    #expect(limits.silenceMilliseconds == limits.writeStallMilliseconds + 131_072)
    limits.minBytesPerSecond = 0
    #expect(limits.silenceMilliseconds == 0)
  }

  @Test func `the send buffer of a Unix socket is limited`() throws {
    let (loop, _) = try Self.makeLoop()
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
    let result = unsafe socketpair(AF_UNIX, kind, 0, &ends)
    try #require(result == 0)
    defer { close(ends[1]) }
    loop.admit(FileDescriptor(owning: ends[0]), isLocal: true)
    let connection = try #require(loop.connections.compactMap(\.self).first)
    var bytes: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    let number = connection.descriptor.number
    #expect(unsafe getsockopt(number, SOL_SOCKET, SO_SNDBUF, &bytes, &size) == 0)
    // The kernel doubles the size for its own overhead (socket(7)).
    #expect(bytes == 2 * Syscalls.maxUnsentBytes && connection.remote == "unix")
  }

  /// Returns a loop with a listener, which does not run.
  private static func makeLoop(
    silenceMilliseconds: Int = 1_000
  ) throws -> (EventLoop, port: UInt16) {
    let address = try #require(SocketAddress(host: "127.0.0.1", port: 0))
    let socket = try Syscalls.bind(to: address, sharesPort: false)
    let port = try Syscalls.port(of: socket.number)
    try Syscalls.prepareListener(socket.number, silenceMilliseconds: silenceMilliseconds)
    try Syscalls.listen(socket.number, acceptBacklog: 8)
    let resources = try LoopResources()
    resources.add(Listener(owning: socket))
    let loop = EventLoop(
      settings: settings,
      resources: resources,
      metrics: LoopMetrics(routes: 2)
    )
    return (loop, port)
  }

  private static let settings = EventLoop.Settings(
    limits: Limits(),
    hosts: .any,
    maxConnections: 10,
    maxHeldBytes: .max,
    addresses: nil,
    refusedCredentials: nil,
    exemptsLoopback: true,
    handler: EchoHandler(),
    coding: nil,
    router: Router(),
    connectionCount: SharedCount(),
    held: SharedCount(),
    heldAnswers: SharedCount(),
    loops: [],
    log: nil,
    maxSpinMicroseconds: 0
  )

  @Test(arguments: [
    ("127.0.0.1", true), ("localhost", true), ("127.8.8.8", true), ("::1", true),
    ("0.0.0.0", false), ("::", false), ("192.168.1.1", false), ("2001:db8::1", false),
  ])
  func `loopback addresses are recognized`(host: String, isLoopback: Bool) {
    #expect(SocketAddress(host: host, port: 1)?.isLoopback == isLoopback)
  }
}

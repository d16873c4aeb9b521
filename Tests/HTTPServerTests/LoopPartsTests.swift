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

  @Test(arguments: [
    ("127.0.0.1", true), ("localhost", true), ("127.8.8.8", true), ("::1", true),
    ("0.0.0.0", false), ("::", false), ("192.168.1.1", false), ("2001:db8::1", false),
  ])
  func `a loopback address is known as one`(host: String, isLoopback: Bool) {
    #expect(SocketAddress(host: host, port: 1)?.isLoopback == isLoopback)
  }
}

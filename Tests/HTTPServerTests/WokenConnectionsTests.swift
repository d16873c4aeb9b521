import Testing

@testable import HTTPServer

struct WokenConnectionsTests {
  private static let tokens = [3, 9, 4].map { EventToken(generation: 7, descriptor: $0) }

  @Test func `each connection is listed once, in order of waking`() {
    var woken = WokenConnections()
    let firsts = (Self.tokens + Self.tokens).map { woken.insert($0) }
    #expect(firsts == [true, false, false, false, false, false])
    var room: [EventToken] = []
    woken.take(for: &room)
    #expect(room == Self.tokens)
  }

  @Test func `a connection can be woken again after it was taken`() {
    var woken = WokenConnections()
    var room: [EventToken] = []
    for token in Self.tokens {
      let isFirst = woken.insert(token)
      #expect(isFirst)
      woken.take(for: &room)
      #expect(room == [token])
      room = []
    }
    woken.take(for: &room)
    #expect(room.isEmpty)
  }

  @Test func `both owners of a reused descriptor are listed`() {
    var woken = WokenConnections()
    let owners = [1, 2].map { EventToken(generation: $0, descriptor: 5) }
    for owner in owners { _ = woken.insert(owner) }
    var room: [EventToken] = []
    woken.take(for: &room)
    #expect(room == owners)
    room = []
    let isFirst = woken.insert(owners[1])
    #expect(isFirst)
  }
}

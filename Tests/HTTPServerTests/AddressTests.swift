import HTTP
import Testing

@testable import HTTPServer

/// The limit on connections from one address.
@Suite struct AddressTests {
  private func withLimit(_ limit: Int, loops: Int = 2, _ body: (Server) throws -> Void) throws {
    try withServer(
      loops: loops,
      options: {
        $0.maxConnectionsPerAddress = limit
        $0.exemptsLoopback = false
      },
      body
    )
  }

  @Test func `a connection beyond the limit of an address gets 429`() throws {
    try withLimit(3) { server in
      var clients = (0..<3).map { _ in Client(port: server.port, from: 2) }
      for client in clients {
        #expect(client.exchange(get("/"), endingIn: ">").statuses == [200])
      }
      let (text, ending) = Client(port: server.port, from: 2).readToEnd()
      #expect(text.statuses == [429] && text.contains("\r\nRetry-After: 1\r\n"))
      #expect(text.contains(#""code":"too-many-requests""#) && ending == .closed)
      let other = Client(port: server.port, from: 3)
      #expect(other.exchange(get("/"), endingIn: ">").statuses == [200])
      // The server learns of the closed connection a moment later.
      clients.removeLast()
      var last: [Int] = []
      for _ in 0..<10_000 where last != [200] {
        let client = Client(port: server.port, from: 2)
        client.send(get("/"))
        last = client.read { $0.last == 0x3E || $0.last == 0x7D }.text.statuses
      }
      #expect(last == [200])
    }
  }

  @Test func `a flood from one address does not affect others`() throws {
    try withLimit(2, loops: 1) { server in
      let own = (0..<2).map { _ in Client(port: server.port, from: 4) }
      for client in own { #expect(client.exchange(get("/"), endingIn: ">").statuses == [200]) }
      let flood = (0..<300).map { _ in Client(port: server.port, from: 4) }
      for client in flood {
        let (text, ending) = client.readToEnd()
        #expect(text.isEmpty || text.statuses == [429])
        #expect(ending != .silent)
      }
      for client in own { #expect(client.exchange(get("/"), endingIn: ">").statuses == [200]) }
      let other = Client(port: server.port, from: 5)
      #expect(other.exchange(get("/"), endingIn: ">").statuses == [200])
    }
  }

  @Test func `connections are counted while they are open`() {
    let counts = AddressCounts(limit: 2)
    let addresses = (0..<100).map { PeerAddress([10, 0, 0, $0]) }
    for address in addresses {
      #expect(counts.enter(address))
      #expect(counts.enter(address))
      #expect(!counts.enter(address))
      counts.leave(address)
      #expect(counts.enter(address))
    }
    #expect(counts.addressCount == 100)
    for address in addresses + addresses { counts.leave(address) }
    #expect(counts.addressCount == 0)
  }

  @Test func `IPv6 is counted by network, mapped IPv4 by address`() {
    let network: [UInt8] = [0x20, 1, 0xd, 0xb8, 0, 0, 0, 1]
    let first = PeerAddress(network + [0, 0, 0, 0, 0, 0, 0, 1])
    let second = PeerAddress(network + [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(first != second && first.network == second.network && !first.isLoopback)
    let elsewhere = PeerAddress([0x20, 1, 0xd, 0xb8, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1])
    #expect(elsewhere.network != first.network)
    let mapped = PeerAddress([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 9])
    #expect(mapped == PeerAddress([127, 0, 0, 9]) && mapped.isLoopback)
    #expect(mapped.network == mapped)
    #expect(PeerAddress([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]).isLoopback)
  }
}

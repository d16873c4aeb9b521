/// A client that sends requests, and is notified when an answer arrives.
protocol AskingClient {
  /// Reports an available answer as an event with a number.
  func report(to events: SocketEvents, as number: Int)
  /// Sends a request.
  func ask()
  /// Waits for the answer; returns its checksum.
  func receive() -> UInt64
}

extension LeafInserter: AskingClient {
  func ask() { send() }
}

/// A client of a ``BareServer``, which always sends the same request.
struct BareClient: AskingClient {
  private let connection: ServiceConnection
  /// A request as long as an insertion with its head.
  private let request = ServiceRequest.post(
    "/v1/sessions/s_0123456789abcdefghijkl/batch".utf8,
    [UInt8](repeating: 0x78, count: 130)
  )

  init(port: UInt16) { connection = ServiceConnection(port: port) }

  func report(to events: SocketEvents, as number: Int) {
    connection.report(to: events, as: number)
  }

  func ask() { connection.send(request) }

  func receive() -> UInt64 {
    let status = connection.receive()
    precondition(status == 200, "a benchmark's request was refused")
    return connection.checksum
  }
}

/// Clients each of which sends its next request directly after an answer, whatever the others do.
struct AskingCrowd<Client: AskingClient> {
  let clients: [Client]

  /// Sends `requests` requests with each client; returns the checksum of all answers.
  func exchange(_ requests: Int) -> UInt64 {
    let events = SocketEvents(capacity: clients.count)
    var checksums = [UInt64](repeating: 0, count: clients.count)
    var left = [Int](repeating: requests, count: clients.count)
    for (number, client) in clients.enumerated() {
      client.report(to: events, as: number)
      client.ask()
    }
    var waiting = clients.count
    while waiting > 0 {
      events.wait()
      for number in events.ready {
        checksums[number] = checksums[number] &* 31 &+ clients[number].receive()
        left[number] -= 1
        if left[number] > 0 { clients[number].ask() } else { waiting -= 1 }
      }
    }
    return checksums.reduce(0) { $0 &* 31 &+ $1 }
  }
}

import TestSupport

/// The event streams of a server, each over its own connection.
struct SocketEvents: EventsUnderTest {
  let port: UInt16

  func open(_ session: String, query: String, lastID: Int?) throws -> any EventSource {
    try EventStreamClient(port: port, session, query: query, lastID: lastID)
  }
}

extension EventStreamClient: EventSource {}

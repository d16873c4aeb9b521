import TestSupport

/// The streams of events of a server, each over a connection of its own.
struct SocketEvents: EventsUnderTest {
  let port: UInt16

  func open(_ session: String, query: String, lastID: Int?) throws -> any EventSource {
    try EventStreamClient(port: port, session, query: query, lastID: lastID)
  }
}

extension EventStreamClient: EventSource {}

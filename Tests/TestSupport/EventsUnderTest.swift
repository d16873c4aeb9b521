/// The source of the service's event streams, over any transport.
package protocol EventsUnderTest {
  /// Opens the stream of a session.
  ///
  /// - Parameters:
  ///   - session: The path of the session.
  ///   - query: The query without its question mark, which may be empty.
  ///   - lastID: The id of the last event that was received; nil to start from now.
  /// - Throws: An error if the service opens no stream.
  func open(_ session: String, query: String, lastID: Int?) throws -> any EventSource
}

/// The open event stream of a session.
package protocol EventSource: AnyObject {
  /// Waits for the next event; returns nil at the end of the stream.
  func next() throws -> ServerSentEvents.Event?
}

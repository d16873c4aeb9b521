/// The streams of events of the real service, however they are reached.
package protocol EventsUnderTest {
  /// Begins to follow a session.
  ///
  /// - Parameters:
  ///   - session: The session's path.
  ///   - query: What follows the question mark, which may be empty.
  ///   - lastID: The id of the last event that came before; `nil` to follow from now on.
  /// - Throws: When the service opens no stream.
  func open(_ session: String, query: String, lastID: Int?) throws -> any EventSource
}

/// An open stream of the events of one session.
package protocol EventSource: AnyObject {
  /// Waits for the next event; `nil` when the stream has ended.
  func next() throws -> ServerSentEvents.Event?
}

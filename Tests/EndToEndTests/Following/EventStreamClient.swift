import HTTP
import TestSupport

/// A client of a session's event stream (WHATWG HTML, section 9.2).
final class EventStreamClient {
  /// The head of the answer.
  let head: Answer
  private let connection: BlockingConnection
  private var chunks = ChunkDecoder()
  private var stream = ServerSentEvents()
  private var waiting: [ServerSentEvents.Event] = []

  /// Opens a stream.
  ///
  /// - Parameters:
  ///   - port: The port of the service.
  ///   - session: The path of the session.
  ///   - query: The query without its question mark, which may be empty.
  ///   - lastID: The id of the last event that was received, if any.
  /// - Throws: ``WireError`` if the answer is no event stream.
  convenience init(
    port: UInt16,
    _ session: String,
    query: String = "",
    lastID: Int? = nil
  ) throws {
    let connection = try BlockingConnection(port: port)
    let suffix = query.isEmpty ? "" : "?\(query)"
    var ask = Ask(.get, "\(session)/changes\(suffix)", fields: [("Accept", "text/event-stream")])
    if let lastID { ask.fields.append(("Last-Event-ID", "\(lastID)")) }
    try connection.send(ask.bytes)
    try self.init(asked: connection)
  }

  /// Reads a stream from a connection on which it was requested.
  ///
  /// - Throws: ``WireError`` if the answer is no event stream.
  init(asked connection: BlockingConnection) throws {
    self.connection = connection
    head = try connection.receiveHead()
    guard head.status == 200, head["Content-Type"] == "text/event-stream; charset=utf-8" else {
      throw WireError("this is no event stream: \(head)")
    }
  }

  /// The comments received so far.
  var comments: [String] { stream.comments }

  /// The reconnection time of the stream in milliseconds; nil if none was received.
  var retry: Int? { stream.retry }

  /// Waits for the next event; returns nil when the stream has ended properly.
  func next() throws -> ServerSentEvents.Event? {
    while waiting.isEmpty {
      guard !chunks.hasEnded else { return nil }
      try read()
    }
    return waiting.removeFirst()
  }

  /// Reads the next piece, which may contain no event.
  func read() throws {
    let bytes = try connection.receivePiece()
    guard !bytes.isEmpty else { throw WireError("the connection ended within the stream") }
    stream.read(try chunks.decode(bytes))
    waiting += stream.popEvents()
  }

  /// Reads the next piece and returns the events that are complete, if any.
  func readEvents() throws -> [ServerSentEvents.Event] {
    if waiting.isEmpty { try read() }
    defer { waiting = [] }
    return waiting
  }

  /// Waits for the events up to the one with a revision, and returns them.
  func events(upTo revision: Int) throws -> [ServerSentEvents.Event] {
    var events: [ServerSentEvents.Event] = []
    while events.last?.id != "\(revision)" {
      guard let event = try next() else {
        throw WireError("the stream ended before revision \(revision): \(events)")
      }
      events.append(event)
    }
    return events
  }
}

extension ServerSentEvents.Event {
  /// Returns the data as JSON.
  func json() throws -> RawJSON { try RawJSON(parsing: data) }
}

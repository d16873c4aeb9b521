import HTTP
import TestSupport

/// A client that follows a session by a stream of events (WHATWG HTML, section 9.2).
final class EventStreamClient {
  /// The head of the answer.
  let head: Answer
  private let connection: BlockingConnection
  private var chunks = ChunkDecoder()
  private var stream = ServerSentEvents()
  private var waiting: [ServerSentEvents.Event] = []

  /// Begins to follow.
  ///
  /// - Parameters:
  ///   - port: Where the service listens.
  ///   - session: The session's path.
  ///   - query: What follows the question mark, which may be empty.
  ///   - lastID: The id of the last event that came before, if any did.
  /// - Throws: ``WireError`` when the answer is no stream.
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

  /// Begins to follow over a connection on which that was asked for.
  ///
  /// - Throws: ``WireError`` when the answer is no stream.
  init(asked connection: BlockingConnection) throws {
    self.connection = connection
    head = try connection.receiveHead()
    guard head.status == 200, head["Content-Type"] == "text/event-stream; charset=utf-8" else {
      throw WireError("this is no stream of events: \(head)")
    }
  }

  /// The comments so far.
  var comments: [String] { stream.comments }

  /// How long to wait before following again, in milliseconds, once the stream has said so.
  var retry: Int? { stream.retry }

  /// Waits for the next event; nil when the stream has ended as it should.
  func next() throws -> ServerSentEvents.Event? {
    while waiting.isEmpty {
      guard !chunks.hasEnded else { return nil }
      try read()
    }
    return waiting.removeFirst()
  }

  /// Reads what comes next, be it events or not.
  func read() throws {
    let bytes = try connection.receivePiece()
    guard !bytes.isEmpty else { throw WireError("the connection ended within the stream") }
    stream.read(try chunks.decode(bytes))
    waiting += stream.takeEvents()
  }

  /// Reads what comes next and gives the events that are whole now, which may be none.
  func readEvents() throws -> [ServerSentEvents.Event] {
    if waiting.isEmpty { try read() }
    defer { waiting = [] }
    return waiting
  }

  /// Waits for the events up to the one of a revision.
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
  /// The data as JSON.
  func json() throws -> RawJSON { try RawJSON(parsing: data) }
}

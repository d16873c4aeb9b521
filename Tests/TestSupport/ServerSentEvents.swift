/// Reads a `text/event-stream`, in whatever pieces it comes (WHATWG HTML, section 9.2).
package struct ServerSentEvents: Sendable {
  /// One event, as a client is told of it.
  package struct Event: Sendable, Equatable {
    /// The type: `message` where none was given.
    package var type: String
    /// The data, lines joined by line feeds.
    package var data: String
    /// The last id that the stream gave.
    package var id: String
  }

  /// The events that were read and not yet taken.
  package private(set) var events: [Event] = []
  /// The comments so far, which keep a silent stream alive.
  package private(set) var comments: [String] = []
  /// The milliseconds to wait before connecting again, once the stream said so.
  package private(set) var retry: Int?
  /// The last id that the stream gave: what `Last-Event-ID` has to say.
  package private(set) var lastID = ""

  private var line: [UInt8] = []
  private var isAfterReturn = false
  private var type = ""
  private var data: [String] = []

  /// A stream of which nothing was read.
  package init() {}

  /// Reads the next bytes.
  package mutating func read(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      let isLineFeed = byte == UInt8(ascii: "\n")
      if isLineFeed && isAfterReturn {
        isAfterReturn = false
        continue
      }
      isAfterReturn = byte == UInt8(ascii: "\r")
      if isLineFeed || isAfterReturn { endLine() } else { line.append(byte) }
    }
  }

  /// Takes the events that were read.
  package mutating func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  private mutating func endLine() {
    let text = String(decoding: line, as: UTF8.self)
    line = []
    if text.isEmpty { return dispatch() }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    var value = parts.count > 1 ? String(parts[1]) : ""
    if value.hasPrefix(" ") { value.removeFirst() }
    switch parts[0] {
    case "": comments.append(value)
    case "event": type = value
    case "data": data.append(value)
    case "id": lastID = value
    case "retry": retry = Int(value) ?? retry
    default: break
    }
  }

  /// An empty line ends an event, if there is any data.
  private mutating func dispatch() {
    defer {
      type = ""
      data = []
    }
    guard !data.isEmpty else { return }
    let type = type.isEmpty ? "message" : type
    events.append(Event(type: type, data: data.joined(separator: "\n"), id: lastID))
  }
}

/// An incremental parser of `text/event-stream` (WHATWG HTML, section 9.2).
package struct ServerSentEvents: Sendable {
  /// An event.
  package struct Event: Sendable, Equatable {
    /// The type; `message` by default.
    package var type: String
    /// The data lines, joined by line feeds.
    package var data: String
    /// The last id in the stream.
    package var id: String
  }

  /// The parsed events that ``popEvents()`` has not returned.
  package private(set) var events: [Event] = []
  /// The comments so far, such as heartbeats.
  package private(set) var comments: [String] = []
  /// The reconnection time in milliseconds; nil if the stream had none.
  package private(set) var retry: Int?
  /// The last id in the stream, for `Last-Event-ID`.
  package private(set) var lastID = ""

  private var line: [UInt8] = []
  private var isAfterReturn = false
  private var type = ""
  private var data: [String] = []

  /// Creates a parser.
  package init() {}

  /// Parses the next bytes.
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

  /// Removes and returns the parsed events.
  package mutating func popEvents() -> [Event] {
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

  /// Ends an event at an empty line, if it has data.
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

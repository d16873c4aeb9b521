import Foundation

/// An event of a stream (WHATWG HTML, section 9.2).
struct ServerSentEvent: Equatable {
  var event: String?
  var data: String?
  var retry: String?
}

/// A parser of `text/event-stream`, which may be split anywhere.
struct EventParser {
  private var line: [UInt8] = []
  private var endedInReturn = false
  private var isFirstLine = true
  private var event = ServerSentEvent()

  /// Parses a piece, and returns the events that end in it.
  mutating func feed(_ piece: Data) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    for byte in piece {
      let followsReturn = endedInReturn
      endedInReturn = byte == UInt8(ascii: "\r")
      if byte == UInt8(ascii: "\n") && followsReturn { continue }
      guard byte == UInt8(ascii: "\n") || endedInReturn else {
        line.append(byte)
        continue
      }
      if line.isEmpty {
        events.append(event)
        event = ServerSentEvent()
      } else {
        parse(String(decoding: line, as: UTF8.self))
        line.removeAll(keepingCapacity: true)
      }
      isFirstLine = false
    }
    return events
  }

  private mutating func parse(_ line: String) {
    let text = isFirstLine && line.first == "\u{FEFF}" ? line.dropFirst() : line[...]
    let name = text.prefix { $0 != ":" }
    var value = text.dropFirst(name.count + 1)
    if value.first == " " { value.removeFirst() }
    switch name {
    case "event": event.event = String(value)
    case "data": event.data = event.data.map { $0 + "\n" + value } ?? String(value)
    case "retry": event.retry = String(value)
    default: break
    }
  }
}

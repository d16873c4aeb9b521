import JSON
import TreeDomain

extension FollowEvent {
  /// Appends the event to a stream.
  ///
  /// An interruption appends nothing.
  func append(to bytes: inout [UInt8]) {
    var writer = JSONWriter()
    switch self {
    case .changes(let answer):
      answer.write(to: &writer)
      bytes.append(event: "changes", id: answer.revision, data: writer.finish())
    case .reset(let session, let revision, let rowCount):
      writer.beginObject()
      writer.name("session")
      writer.string(session.bytes[...])
      writer.name("revision")
      writer.integer(revision.number)
      writer.name("rowCount")
      writer.integer(rowCount)
      writer.endObject()
      bytes.append(event: "reset", id: revision, data: writer.finish())
    case .ended(let reason): bytes.append(endOfStream: reason)
    case .interrupted: break
    }
  }
}

extension [UInt8] {
  /// Appends the final event of a stream.
  ///
  /// It has no id, so that a client that reconnects nevertheless continues after the last change.
  mutating func append(endOfStream reason: ServiceError) {
    append(endOfStream: reason.code.rawValue, reason.detail)
  }

  /// Appends the same event, given the code and the detail of a problem.
  mutating func append(endOfStream code: String, _ detail: String) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("code")
    writer.string(code)
    writer.name("detail")
    writer.string(detail)
    writer.endObject()
    append(event: "end", id: nil, data: writer.finish())
  }

  /// Appends an event (WHATWG HTML, 9.2.5) with one JSON value as its data.
  fileprivate mutating func append(event name: String, id: Revision?, data: [UInt8]) {
    append(contentsOf: "event: \(name)\n".utf8)
    if let id { append(contentsOf: "id: \(id.number)\n".utf8) }
    append(contentsOf: "data: ".utf8)
    // Line breaks occur only as white space in objects kept as received. In a stream they would end
    // the data.
    append(contentsOf: data.lazy.map { $0 == 0x0a || $0 == 0x0d ? 0x20 : $0 })
    append(contentsOf: "\n\n".utf8)
  }
}

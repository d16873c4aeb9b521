/// Reads the answers on a connection one after the other (RFC 9112).
struct AnswerParser {
  private var bytes: [UInt8] = []

  /// Whether nothing is left that belongs to no answer yet.
  var isEmpty: Bool { bytes.isEmpty }

  mutating func append(_ more: some Sequence<UInt8>) {
    bytes += more
  }

  /// The next answer, interim ones included; nil if it is not whole yet.
  ///
  /// - Parameter toHead: Whether the request was HEAD, so that no content follows.
  /// - Throws: ``WireError`` when it is no answer.
  mutating func next(toHead: Bool = false) throws -> Answer? {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    var answer = try Self.head(bytes[..<end.lowerBound])
    var offset = end.upperBound
    let isBare = toHead || answer.status < 200 || [204, 304].contains(answer.status)
    if !isBare, answer["Transfer-Encoding"] == "chunked" {
      guard let (body, bodyEnd) = try chunks(from: offset) else { return nil }
      answer.body = body
      offset = bodyEnd
    } else if !isBare {
      guard let length = answer["Content-Length"].flatMap(Int.init) else {
        throw WireError("an answer does not say how long it is: \(answer)")
      }
      guard bytes.count - offset >= length else { return nil }
      answer.body = Array(bytes[offset..<offset + length])
      offset += length
    }
    bytes.removeSubrange(..<offset)
    return answer
  }

  private static func head(_ bytes: ArraySlice<UInt8>) throws -> Answer {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    let start = lines.first?.split(separator: " ", maxSplits: 2) ?? []
    guard start.count >= 2, start[0] == "HTTP/1.1", let status = Int(start[1]) else {
      throw WireError("this is no status line: \(lines.first ?? "")")
    }
    var answer = Answer(status: status)
    for line in lines.dropFirst() {
      let parts = line.split(separator: ": ", maxSplits: 1)
      guard parts.count == 2 else { throw WireError("this is no field: \(line)") }
      answer.fields.append((String(parts[0]), String(parts[1])))
    }
    return answer
  }

  /// The content that begins at an offset in chunks, and where it ends; nil if it is not whole yet.
  private func chunks(from start: Int) throws -> (body: [UInt8], end: Int)? {
    var (body, offset): ([UInt8], Int) = ([], start)
    while true {
      guard let line = bytes[offset...].firstRange(of: Array("\r\n".utf8)) else { return nil }
      let digits = String(decoding: bytes[offset..<line.lowerBound], as: UTF8.self)
      guard let size = Int(digits, radix: 16) else {
        throw WireError("this is no size of a chunk: \(digits)")
      }
      offset = line.upperBound
      guard bytes.count - offset >= size + 2 else { return nil }
      body += bytes[offset..<offset + size]
      offset += size + 2
      if size == 0 { return (body, offset) }
    }
  }
}

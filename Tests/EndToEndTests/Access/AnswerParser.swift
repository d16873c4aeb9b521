/// Reads the answers on a connection one after the other (RFC 9112).
struct AnswerParser {
  private var bytes: [UInt8] = []
  /// An answer whose chunks are not all here, without what has come of them.
  private var unfinished: (answer: Answer, chunks: ChunkDecoder)?

  /// Whether nothing is left that belongs to no answer yet.
  var isEmpty: Bool { bytes.isEmpty && unfinished == nil }

  mutating func append(_ more: some Sequence<UInt8>) {
    bytes += more
  }

  /// The next answer, interim ones included; nil if it is not whole yet.
  ///
  /// - Parameter toHead: Whether the request was HEAD, so that no content follows.
  /// - Throws: ``WireError`` when it is no answer.
  mutating func next(toHead: Bool = false) throws -> Answer? {
    if unfinished == nil {
      let untouched = bytes
      guard var answer = try nextHead() else { return nil }
      if toHead || answer.status < 200 || [204, 304].contains(answer.status) { return answer }
      guard answer["Transfer-Encoding"] == "chunked" else {
        guard let length = answer["Content-Length"].flatMap(Int.init) else {
          throw WireError("an answer does not say how long it is: \(answer)")
        }
        guard bytes.count >= length else {
          bytes = untouched
          return nil
        }
        answer.body = takeBytes(atMost: length)
        return answer
      }
      unfinished = (answer, ChunkDecoder())
    }
    return try finish()
  }

  /// The head of the next answer, whose content is left for ``takeBytes(atMost:)``; nil if it is
  /// not whole yet.
  mutating func nextHead() throws -> Answer? {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let head = try Self.head(bytes[..<end.lowerBound])
    bytes.removeFirst(end.upperBound)
    return head
  }

  /// Takes bytes that were received and not read as an answer.
  mutating func takeBytes(atMost limit: Int = .max) -> [UInt8] {
    let taken = Array(bytes.prefix(limit))
    bytes.removeFirst(taken.count)
    return taken
  }

  /// Goes on with the answer that comes in chunks.
  private mutating func finish() throws -> Answer? {
    guard var (answer, chunks) = unfinished else { return nil }
    unfinished = nil
    answer.body += try chunks.decode(takeBytes())
    guard chunks.hasEnded else {
      unfinished = (answer, chunks)
      return nil
    }
    bytes = chunks.rest
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
}

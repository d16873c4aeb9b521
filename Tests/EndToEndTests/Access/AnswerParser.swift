/// An incremental parser of the responses on a connection (RFC 9112).
struct AnswerParser {
  private var bytes: [UInt8] = []
  /// An answer in chunks that is incomplete; its body holds the content decoded so far.
  private var unfinished: (answer: Answer, chunks: ChunkDecoder)?

  /// True if all received bytes belong to complete answers.
  var isEmpty: Bool { bytes.isEmpty && unfinished == nil }

  mutating func append(_ more: some Sequence<UInt8>) {
    bytes += more
  }

  /// Returns the next answer, interim ones included, or nil if it is incomplete.
  ///
  /// - Parameter toHead: True if the request was HEAD, so that no content follows.
  /// - Throws: ``WireError`` if the bytes are no answer.
  mutating func next(toHead: Bool = false) throws -> Answer? {
    if unfinished == nil {
      let untouched = bytes
      guard var answer = try nextHead() else { return nil }
      if toHead || answer.status < 200 || [204, 304].contains(answer.status) { return answer }
      guard answer["Transfer-Encoding"] == "chunked" else {
        guard let length = answer["Content-Length"].flatMap(Int.init) else {
          throw WireError("an answer has no length: \(answer)")
        }
        guard bytes.count >= length else {
          bytes = untouched
          return nil
        }
        answer.body = popBytes(atMost: length)
        return answer
      }
      unfinished = (answer, ChunkDecoder())
    }
    return try finish()
  }

  /// Returns the head of the next answer, or nil if it is incomplete. The content remains for
  /// ``popBytes(atMost:)``.
  mutating func nextHead() throws -> Answer? {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let head = try Self.head(bytes[..<end.lowerBound])
    bytes.removeFirst(end.upperBound)
    return head
  }

  /// Removes and returns received bytes that were not parsed.
  mutating func popBytes(atMost limit: Int = .max) -> [UInt8] {
    let taken = Array(bytes.prefix(limit))
    bytes.removeFirst(taken.count)
    return taken
  }

  /// Continues the answer that arrives in chunks.
  private mutating func finish() throws -> Answer? {
    guard var (answer, chunks) = unfinished else { return nil }
    unfinished = nil
    answer.body += try chunks.decode(popBytes())
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
      throw WireError("invalid status line: \(lines.first ?? "")")
    }
    var answer = Answer(status: status)
    for line in lines.dropFirst() {
      let parts = line.split(separator: ": ", maxSplits: 1)
      guard parts.count == 2 else { throw WireError("invalid field: \(line)") }
      answer.fields.append((String(parts[0]), String(parts[1])))
    }
    return answer
  }
}

import TestSupport
import Testing

@testable import HTTP

@Suite struct `A response of another server` {
  /// A response as it was understood.
  struct Reading: Equatable {
    var statuses: [Int] = []
    var fields: [String] = []
    var content: [UInt8] = []
    var proceeds = 0
    var hasEnded = false
    var canContinue = false
    var fault: ResponseFault?
  }

  /// Reads input in pieces, and then the end of the connection if it closes.
  static func read(
    _ pieces: [ArraySlice<UInt8>],
    toHead isToHead: Bool = false,
    closes: Bool = false,
    limits: Limits = Limits()
  ) -> Reading {
    var reader = ResponseReader(limits: limits, isToHead: isToHead)
    var reading = Reading()
    do throws(ResponseFault) {
      for piece in pieces {
        reader.receive(piece)
        try take(from: &reader, &reading)
      }
      if closes {
        reader.finishInput()
        try take(from: &reader, &reading)
      }
    } catch {
      reading.fault = error
    }
    reading.canContinue = reader.canContinue
    return reading
  }

  private static func take(
    from reader: inout ResponseReader,
    _ reading: inout Reading
  ) throws(ResponseFault) {
    while let event = try reader.next() {
      switch event {
      case .proceed: reading.proceeds += 1
      case .head(let head):
        reading.statuses.append(head.status.code)
        reading.fields = (0..<head.fields.count).map {
          "\(String(text: head.fields.name(at: $0)))=\(String(text: head.fields.value(at: $0)))"
        }
      case .content(let bytes): reading.content += bytes
      case .end: reading.hasEnded = true
      }
    }
  }

  /// Returns the input cut at some places.
  static func pieces(_ bytes: [UInt8], at cuts: [Int]) -> [ArraySlice<UInt8>] {
    zip([0] + cuts, cuts + [bytes.count]).filter { $0 < $1 }.map { bytes[$0..<$1] }
  }

  private static let responses: [(text: String, content: String, continues: Bool)] = [
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst", "first", true),
    ("HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", "", true),
    ("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx", "x", false),
    ("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx", "x", false),
    ("HTTP/1.1 204 No Content\r\n\r\n", "", true),
    ("HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n", "", true),
    (
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n"
        + "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nT: v\r\n\r\n", "abcde", true
    ),
    ("HTTP/1.1 200 OK\r\nX: a: b\r\n\r\nall of it", "all of it", false),
    ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx and more", "x", false),
  ]

  @Test(arguments: responses.indices)
  func `is read alike wherever it is cut`(index: Int) {
    let (text, content, continues) = Self.responses[index]
    let bytes = Array(text.utf8)
    let whole = Self.read([bytes[...]], closes: !continues)
    #expect(whole.hasEnded && whole.fault == nil && whole.content == Array(content.utf8))
    #expect(whole.canContinue == continues && whole.statuses.count == 1)
    for cut in 0...bytes.count {
      #expect(Self.read(Self.pieces(bytes, at: [cut]), closes: !continues) == whole, "at \(cut)")
    }
    #expect(Self.read(Self.pieces(bytes, at: Array(0..<bytes.count)), closes: !continues) == whole)
  }

  @Test func `to HEAD has no content, whatever it announces`() {
    for framing in ["Content-Length: 5", "Transfer-Encoding: chunked"] {
      let text = "HTTP/1.1 200 OK\r\n\(framing)\r\n\r\n"
      let reading = Self.read([Array(text.utf8)[...]], toHead: true)
      #expect(reading.hasEnded && reading.canContinue && reading.fields.count == 1)
    }
  }

  private static let faults: [(String, ResponseFault)] = [
    ("HTTP/2.0 200 OK\r\n\r\n", .unexpectedProtocol),
    ("HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n", .unexpectedProtocol),
    ("HTTP/1.1 20 OK\r\n\r\n", .malformedStatusLine),
    ("HTTP/1.1 200\r\n\r\n", .malformedStatusLine),
    ("HTTP/1.1 099 OK\r\n\r\n", .malformedStatusLine),
    ("HTTP/1.1 600 OK\r\n\r\n", .malformedStatusLine),
    ("HTTP/1.1  200 OK\r\n\r\n", .malformedStatusLine),
    ("http/1.1 200 OK\r\n\r\n", .malformedStatusLine),
    ("GET / HTTP/1.1\r\n\r\n", .malformedStatusLine),
    ("\r\nHTTP/1.1 200 OK\r\n\r\n", .malformedStatusLine),
    ("HTTP/1.1 200 OK\n", .framing(.bareLineFeed)),
    ("HTTP/1.1 200 O\u{0}K\r\n", .framing(.controlCharacter)),
    ("HTTP/1.1 200 OK\r\nA : b\r\n", .framing(.whitespaceBeforeColon)),
    ("HTTP/1.1 200 OK\r\n a: b\r\n", .framing(.foldedField)),
    ("HTTP/1.1 200 OK\r\nnothing\r\n", .framing(.malformedFieldLine)),
    ("HTTP/1.1 200 OK\r\nContent-Length: +5\r\n", .framing(.malformedContentLength)),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n",
      .framing(.repeatedContentLength)
    ),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
      .framing(.conflictingFraming)
    ),
    (
      "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", .framing(.transferEncodingInHTTP10)
    ),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", .framing(.malformedChunkSize)),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab", .framing(.malformedChunk)),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfour", .truncated),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n", .truncated),
    ("HTTP/1.1 200 OK\r\nContent-Len", .truncated),
    ("", .truncated),
  ]

  @Test(arguments: faults.indices)
  func `is refused if it is malformed, wherever it is cut`(index: Int) {
    let (text, fault) = Self.faults[index]
    let bytes = Array(text.utf8)
    let whole = Self.read([bytes[...]], closes: true)
    #expect(whole.fault == fault && !whole.hasEnded && !whole.canContinue, "\(text)")
    for cut in 0...bytes.count {
      #expect(Self.read(Self.pieces(bytes, at: [cut]), closes: true) == whole, "at \(cut)")
    }
  }

  @Test func `is refused beyond the limits`() {
    var limits = Limits()
    limits.maxHeaderBytes = 40
    limits.maxHeaderFields = 3
    func fault(_ fields: String) -> ResponseFault? {
      let bytes = Array("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n".utf8)
      return Self.read([bytes[...]], closes: true, limits: limits).fault
    }
    #expect(fault("A: \(String(repeating: "x", count: 33))") == nil)
    #expect(
      fault("A: \(String(repeating: "x", count: 34))") == .framing(.headerTooLarge(limit: 40))
    )
    #expect(fault("A: b\r\nA: b\r\nA: b") == nil)
    #expect(fault("A: b\r\nA: b\r\nA: b\r\nA: b") == .framing(.tooManyFields(limit: 3)))
    let interim = String(repeating: "HTTP/1.1 102 Wait\r\n\r\n", count: 17)
    #expect(Self.read([Array(interim.utf8)[...]]).fault == .tooManyInterim(limit: 16))
  }

  @Test(arguments: Seed.seeds(count: 200))
  func `is read as it was written, at random cuts and with random damage`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var response = RandomResponse(using: &random)
    func cuts() -> [Int] {
      let count = random.number(in: 0...12)
      return (0..<count).map { _ in random.number(in: 0...response.bytes.count) }.sorted()
    }
    let reading = Self.read(Self.pieces(response.bytes, at: cuts()), closes: response.closes)
    #expect(reading.content == response.content && reading.hasEnded, "seed \(seed)")
    #expect(reading.canContinue == !response.closes && reading.fault == nil, "seed \(seed)")
    for _ in 0..<20 {
      let place = random.number(in: 0...response.bytes.count - 1)
      response.bytes[place] = random.choice([0, 10, 13, 32, 48, 58, 59, 65, 97, 127, 200])
      let whole = Self.read([response.bytes[...]], closes: response.closes)
      let other = Self.read(Self.pieces(response.bytes, at: cuts()), closes: response.closes)
      #expect(other == whole, "seed \(seed)")
    }
  }
}

import Testing

/// Tests of the response parser that the other tests rely on.
struct AnswerParserTests {
  private static let stream = """
    HTTP/1.1 100 Continue\r\n\r\n\
    HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: a: b\r\n\r\nfirst\
    HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nsec\r\nA\r\nond answer\r\n0\r\n\r\n\
    HTTP/1.1 304 Not Modified\r\nETag: "1"\r\n\r\n\
    HTTP/1.1 204 No Content\r\n\r\n
    """

  @Test func `answers are separated wherever the bytes are split`() throws {
    let bytes = Array(Self.stream.utf8)
    for split in 0...bytes.count {
      var parser = AnswerParser()
      var answers: [Answer] = []
      for part in [bytes[..<split], bytes[split...]] {
        parser.append(part)
        while let answer = try parser.next() { answers.append(answer) }
      }
      #expect(answers.map(\.status) == [100, 200, 200, 304, 204])
      #expect(answers.map(\.text) == ["", "first", "second answer", "", ""])
      #expect(answers[1]["x"] == "a: b" && parser.isEmpty)
    }
  }

  @Test func `an answer to HEAD has no content`() throws {
    var parser = AnswerParser()
    parser.append("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n".utf8)
    #expect(try parser.next(toHead: true)?["Content-Length"] == "5")
    #expect(parser.isEmpty)
  }

  @Test(arguments: [
    "HTTP/1.0 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nno field\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
  ])
  func `an invalid answer throws`(text: String) {
    var parser = AnswerParser()
    parser.append(text.utf8)
    #expect(throws: WireError.self) { try parser.next() }
  }
}

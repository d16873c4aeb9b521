import HTTP
import Testing

/// Bodies over the size limit.
struct ContentLimitTests {
  @Test func `a body over the limit is refused with each framing`() throws {
    var limits = Limits()
    limits.maxBodyBytes = 1_000
    try withServer(limits: limits) { port in
      let session = try RemoteSession(SocketAccess(port: port), Sample.options)
      let state = try session.state()
      let batch = #"{"operations":[{"op":"remove","key":"pear"}]}"#
      let fits = batch + String(repeating: " ", count: 1_000 - batch.utf8.count)
      var ask = Ask(.post, session.path + "/batch", fits + " ")
      for bytes in [ask.bytes, ask.bytes(chunkedBy: 64), ask.bytes(chunkedBy: 5_000)] {
        let connection = try BlockingConnection(port: port)
        try connection.send(bytes)
        let answer = try connection.receive()
        try expectProblem(answer, 413, "content-too-large", ["limit": "1000"])
        #expect(try answer["Connection"] == "close" && connection.waitForEnd())
      }
      let patient = try BlockingConnection(port: port)
      ask.fields.append(("Expect", "100-continue"))
      try patient.send(ask.head(framing: "Content-Length: 1001"))
      #expect(try patient.receive(orInterim: true).status == 413)
      #expect(try session.state() == state)
      ask = Ask(.post, session.path + "/batch", fits)
      let connection = try BlockingConnection(port: port)
      try connection.send(ask.bytes(chunkedBy: 64))
      #expect(try connection.receive().status == 200)
      #expect(try session.keys() == ["fruit", "apple", "box", "lazy"])
    }
  }
}

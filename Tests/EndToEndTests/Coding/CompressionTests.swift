import HTTP
import TestSupport
import Testing

/// Compressed answers of the built program, read by curl.
struct CompressionTests {
  private static let nodes = (0..<1_000).map { #"{"key":"node-\#($0)","object":{"n":\#($0)}}"# }

  /// Runs the program with a shared tree of a thousand nodes. The body gets the URL and a session's
  /// path.
  private func serve(_ arguments: [String] = [], _ body: (String, String) throws -> Void) throws {
    let program = try Program(["--port", "0", "--storage", "memory"] + arguments)
    let port = try program.waitForPort()
    let access = SocketAccess(port: port)
    let tree = #"{"tree":"big","nodes":[\#(Self.nodes.joined(separator: ","))]}"#
    #expect(try access.send(Ask(.post, "/v1/trees", tree)).status == 201)
    let session = try RemoteSession(access, #"{"tree":"big"}"#).path
    try body("http://127.0.0.1:\(port)", session)
  }

  @Test func `compressed and plain content are equal, from the loop, from a worker and streamed`()
    throws
  {
    try serve { url, session in
      let paths = [
        session + "/rows?limit=100", session + "/rows?limit=1000", "/v1/trees/big/export",
        "/openapi.yaml",
      ]
      for path in paths {
        let plain = try Curl([url + path])
        let compressed = try Curl(["--compressed", url + path])
        #expect(!plain.wasCompressed && compressed.wasCompressed, "\(path)")
        #expect(plain.content == compressed.content && plain.content.count > 2_000, "\(path)")
        let raw = try Curl(["-H", "Accept-Encoding: gzip", url + path])
        #expect(raw.content.count * 3 < plain.content.count, "\(path)")
        for answer in [plain, compressed] {
          #expect(answer.head.contains("\r\nVary: Accept-Encoding"), "\(path)")
        }
      }
      let small = try Curl(["--compressed", url + "/healthz"])
      #expect(!small.wasCompressed)
    }
  }

  @Test func `a validator of either coding is answered with 304 and accepted by If-Match`() throws {
    try serve { url, session in
      let rows = url + session + "/rows"
      let accepted = ["", "Accept-Encoding: gzip"]
      for tag in [#""0""#, #""0-gzip""#] {
        for field in accepted {
          let field = field.isEmpty ? [] : ["-H", field]
          let answer = try Curl(["-H", "If-None-Match: \(tag)"] + field + [rows])
          #expect(answer.head.contains(" 304 ") && answer.head.contains("\r\nETag: \(tag)\r\n"))
          #expect(answer.head.contains("\r\nVary: Accept-Encoding"))
        }
      }
      let coded = try Curl(["-H", "Accept-Encoding: gzip", rows])
      #expect(coded.head.contains("\r\nETag: \"0-gzip\"\r\n"))
      let insertion = ["-X", "PUT", "--json", "{}", url + session + "/nodes/new"]
      let stale = try Curl(["-H", #"If-Match: "1-gzip""#] + insertion)
      #expect(stale.head.contains(" 412 "))
      let current = try Curl(["-H", #"If-Match: "0-gzip""#] + insertion)
      #expect(current.head.contains(" 201 "))
    }
  }

  @Test func `a request that accepts no available coding gets 406 and changes nothing`() throws {
    try serve { url, session in
      let field = ["-H", "Accept-Encoding: identity;q=0"]
      let refused = try Curl(field + ["-X", "PUT", "--json", "{}", url + session + "/nodes/new"])
      #expect(refused.head.contains(" 406 ") && !refused.wasCompressed)
      let taken = try Curl(["-H", "Accept-Encoding: gzip, identity;q=0", url + session])
      #expect(taken.head.contains(" 200 ") && taken.wasCompressed)
      for path in ["/healthz", "/readyz", "/metrics", "/openapi.yaml"] {
        let answer = try Curl(field + [url + path])
        #expect(answer.head.contains(" 200 ") && !answer.wasCompressed)
      }
      let answer = try Curl([url + session])
      #expect(String(decoding: answer.content, as: UTF8.self).contains(#""revision":0,"#))
    }
  }

  @Test func `a compressed stream is flushed after each event`() throws {
    try serve { url, session in
      let accept = ["--compressed", "-H", "Accept: text/event-stream"]
      let stream = try CurlStream(accept + [url + session + "/changes"])
      defer { stream.end() }
      try stream.wait(for: "\r\n\r\n")
      for revision in 1...3 {
        _ = try Curl(["-X", "PUT", "--json", "{}", url + session + "/nodes/new-\(revision)"])
        try stream.wait(for: "id: \(revision)\n")
        try stream.wait(for: "\"key\":\"new-\(revision)\"")
        try stream.wait(for: "\n\n")
      }
      #expect(stream.text.contains("\r\nContent-Encoding: gzip"))
    }
  }

  @Test func `compression can be turned off`() throws {
    try serve(["--gzip", "false"]) { url, session in
      let answer = try Curl(["--compressed", url + session + "/rows"])
      #expect(!answer.wasCompressed && !answer.head.contains("Accept-Encoding"))
      let refused = try Curl(["-H", "Accept-Encoding: gzip, *;q=0", url + session])
      #expect(refused.head.contains(" 406 "))
    }
  }
}

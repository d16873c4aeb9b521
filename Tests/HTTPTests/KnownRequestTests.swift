import Testing

@testable import HTTP

/// The caches of a connection's last request: its host, its path and its fields.
@Suite struct KnownRequestTests {
  private static let router: Router = {
    var router = Router()
    router.add(.get, "/")
    router.add(.get, "/a")
    router.add(.post, "/a")
    router.add(.get, "/a/{key}")
    router.add(.get, "/{other}/b")
    return router
  }()

  private static let methods = ["GET", "HEAD", "POST", "PUT", "OPTIONS", "BREW"]
  /// Paths with common prefixes, of equal length, or with percent-encoding.
  private static let paths = [
    "/", "/a", "/b", "/a/", "/a/b", "/a/c", "/c/b", "/%61", "/a/%62", "/%61/b", "//b", "", "*",
    "http://localhost/a", "http://evil.test/a", "http://127.0.0.1", "https://localhost/a",
    "/a/" + String(repeating: "x", count: 255), "/a/" + String(repeating: "y", count: 255),
    "/a/\u{e9}", "/a\"",
  ]
  private static let queries = ["", "?", "?x=1", "?x=%31", "?x", "?/a", "?x=%", "?x=\"", "?{"]
  private static let hosts = [
    "localhost", "127.0.0.1:80", "127.0.0.1:81", "LOCALHOST", "evil.test", "", "a b",
  ]
  private static let fields = [
    "", "Accept: a\r\n", "Accept: b\r\n", "Connection: close\r\n", "Expect: 100-continue\r\n",
    "Host: localhost\r\n", "Content-Length: 3\r\n", "Content-Length: 5\r\n",
    "Transfer-Encoding: chunked\r\n", "Accept-Encoding: identity;q=0\r\n", " folded\r\n",
    "Content-Type: application/json\r\n", "Content-Type: Application/json\r\n",
    "Content-Type: application/json\r\nContent-Type: application/json\r\n",
    "traceparent: a\r\ntraceparent: a\r\n", "Accept-Encoding: gzip\r\nAccept-Encoding: br\r\n",
    "X-Request-Id: given-3\r\nX-Request-Id: given-4\r\n", "traceparent:\r\nX-Request-Id:\r\n",
    "X-Request-Id: given-1\r\n", "X-Request-Id: given-2\r\n", "A: \(long(1_100))\r\n",
    "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\nAccept: c\r\n",
  ]
  private static func long(_ count: Int) -> String { String(repeating: "l", count: count) }

  /// The parts of a request, most of which stay the same from one request to the next.
  private struct Words {
    var method = 0
    var path = 0
    var query = 0
    var host = 0
    /// The indices of the field lines, some of which are added, removed or replaced.
    var fields: [Int] = []

    mutating func change(_ random: inout SeededRandom) {
      func other(_ word: inout Int, of words: [String]) {
        if random.next(below: 3) == 0 { word = random.next(below: words.count) }
      }
      other(&method, of: methods)
      other(&path, of: paths)
      other(&query, of: queries)
      other(&host, of: hosts)
      let field = random.next(below: KnownRequestTests.fields.count)
      let place = random.next(below: fields.count + 1)
      switch random.next(below: 8) {
      case 0 where fields.count < 5: fields.insert(field, at: place)
      case 1 where place < fields.count: fields.remove(at: place)
      case 2 where place < fields.count: fields[place] = field
      case 3: fields = []
      default: break
      }
    }

    var text: String {
      let line = "\(methods[method]) \(paths[path])\(queries[query]) HTTP/1.1"
      let fields = fields.map { KnownRequestTests.fields[$0] }
      // With several lengths the request is refused.
      let content = fields.reduce("") { content, field in
        switch field {
        case "Content-Length: 3\r\n": "abc"
        case "Content-Length: 5\r\n": "abcde"
        case "Transfer-Encoding: chunked\r\n": "2\r\nab\r\n0\r\n\r\n"
        default: content
        }
      }
      return "\(line)\r\nHost: \(hosts[host])\r\n\(fields.joined())\r\n\(content)"
    }
  }

  /// Returns what was understood and answered, without the ids of requests, which all differ.
  private static func outcome(_ exchange: Exchange) -> String {
    let seen = exchange.requests.map { request in
      let raw = String(text: request.target.raw)
      let match = request.match.map { "\($0.label.index) \($0.outcome)" } ?? "-"
      let fields = (0..<request.fields.count).map { place in
        String(text: request.fields.name(at: place)) + String(text: request.fields.value(at: place))
      }
      return "\(Exchange.describe(request)) \(raw) \(match) \(fields) \(request.isPlainJSON)"
    }
    let traces = exchange.records.map { "\($0.trace.map { "\($0)" } ?? "-")" }
    let lines = exchange.answerText.split(separator: "\r\n").filter { line in
      !line.contains("X-Request-Id") || line.contains("given")
    }
    return (seen + traces + lines.map(String.init)).joined(separator: "\n")
  }

  /// Splits a request into two pieces, sometimes.
  private static func pieces(of text: String, _ random: inout SeededRandom) -> [[UInt8]] {
    let bytes = Array(text.utf8)
    guard random.next(below: 4) == 0 else { return [bytes] }
    let cut = random.next(below: bytes.count)
    return [Array(bytes[..<cut]), Array(bytes[cut...])]
  }

  @Test func `a long host is not cached`() {
    var exchange = Exchange(limits: Limits(), hosts: .any)
    for count in [255, 256] {
      let host = String(repeating: count == 255 ? "a" : "b", count: count)
      exchange.feed("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      #expect(exchange.state.parser.knownHost == [UInt8](repeating: UInt8(ascii: "a"), count: 255))
    }
    #expect(exchange.statuses == [200, 200])
  }

  /// Limits that some requests meet, and others exceed only with the last line.
  private static let narrow: Limits = {
    var limits = Limits()
    limits.maxHeaderFields = 4
    limits.maxHeaderBytes = 120
    return limits
  }()

  @Test(arguments: [Limits(), narrow])
  func `cached parts never change how a request is understood`(limits: Limits) {
    var random = SeededRandom()
    var words = Words()
    func begin() -> Exchange { Exchange(limits: limits, router: Self.router) }
    var old = begin()
    var (kept, refused) = (0, 0)
    for _ in 0..<SeededRandom.iterations(default: 4_000) {
      words.change(&random)
      if old.isWriteShut || old.isClosed { old = begin() }
      (old.requests, old.output, old.records) = ([], [], [])
      var new = begin()
      // If content comes later, a client that expects 100 Continue gets it.
      for piece in Self.pieces(of: words.text, &random) {
        old.feed(piece)
        new.feed(piece)
      }
      let told = "SEED=\(random.seed) \(words.text)"
      #expect(Self.outcome(old) == Self.outcome(new), "\(told)")
      #expect(old.isWriteShut == new.isWriteShut, "\(told)")
      if new.requests.isEmpty { refused += 1 } else { kept += 1 }
    }
    #expect(kept > 0 && refused > 0)
  }
}

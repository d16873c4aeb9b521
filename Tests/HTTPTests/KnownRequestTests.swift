import Testing

@testable import HTTP

/// What a connection keeps of its last request, its host and its path, changes nothing about the
/// next one.
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
  /// Paths that begin alike, are as long as each other, or look otherwise once they are decoded.
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

  /// Mostly what the request before had.
  private struct Words {
    var method = 0
    var path = 0
    var query = 0
    var host = 0

    mutating func change(_ random: inout SeededRandom) {
      func other(_ word: inout Int, of words: [String]) {
        if random.next(below: 3) == 0 { word = random.next(below: words.count) }
      }
      other(&method, of: methods)
      other(&path, of: paths)
      other(&query, of: queries)
      other(&host, of: hosts)
    }

    var text: String {
      "\(methods[method]) \(paths[path])\(queries[query]) HTTP/1.1\r\nHost: \(hosts[host])\r\n\r\n"
    }
  }

  /// What was understood of a request, and what was answered; but for the name of the request, as
  /// that of each is another.
  private static func outcome(_ exchange: Exchange) -> String {
    let seen = exchange.requests.map { request in
      let raw = String(text: request.target.raw)
      let match = request.match.map { "\($0.label.index) \($0.outcome)" } ?? "-"
      return "\(Exchange.describe(request)) \(raw) \(match)"
    }
    let lines = exchange.answerText.split(separator: "\r\n").filter { !$0.contains("X-Request-Id") }
    return (seen + lines.map(String.init)).joined(separator: "\n")
  }

  @Test func `a connection understands each request as a new one would`() {
    var random = SeededRandom()
    var words = Words()
    var old = Exchange(router: Self.router)
    var (kept, refused) = (0, 0)
    for _ in 0..<SeededRandom.iterations(default: 6_000) {
      words.change(&random)
      if old.isWriteShut || old.isClosed { old = Exchange(router: Self.router) }
      (old.requests, old.output) = ([], [])
      old.feed(words.text)
      var new = Exchange(router: Self.router)
      new.feed(words.text)
      let told = "SEED=\(random.seed) \(words.text)"
      #expect(Self.outcome(old) == Self.outcome(new), "\(told)")
      #expect(old.isWriteShut == new.isWriteShut, "\(told)")
      if new.requests.isEmpty { refused += 1 } else { kept += 1 }
    }
    #expect(kept > 0 && refused > 0)
  }
}

import Testing

/// A request and what is to become of it.
struct RequestCase: Sendable, CustomTestStringConvertible {
  let name: String
  let raw: [UInt8]
  /// What the handler is to understand; see `Exchange.describe`.
  let understood: String
  /// Whether the connection is to go on.
  let keepsAlive: Bool

  init(_ name: String, _ raw: String, _ understood: String, keepsAlive: Bool = true) {
    self.name = name
    self.raw = Array(raw.utf8)
    self.understood = understood
    self.keepsAlive = keepsAlive
  }

  var testDescription: String { name }
}

/// A request that is refused, and how.
struct RefusalCase: Sendable, CustomTestStringConvertible {
  let name: String
  let raw: [UInt8]
  let status: Int
  let keepsAlive: Bool

  init(_ name: String, _ raw: String, _ status: Int, keepsAlive: Bool = false) {
    self.init(name, bytes: Array(raw.utf8), status, keepsAlive: keepsAlive)
  }

  init(_ name: String, bytes: [UInt8], _ status: Int, keepsAlive: Bool = false) {
    self.name = name
    raw = bytes
    self.status = status
    self.keepsAlive = keepsAlive
  }

  var testDescription: String { name }
}

let host = "Host: localhost\r\n"

let goodRequests: [RequestCase] = [
  RequestCase("the least request", "GET / HTTP/1.1\r\n\(host)\r\n", "GET   "),
  RequestCase("path segments", "GET /v1/a/b HTTP/1.1\r\n\(host)\r\n", "GET v1|a|b  "),
  RequestCase("a slash at the end", "GET /v1/ HTTP/1.1\r\n\(host)\r\n", "GET v1|  "),
  RequestCase("empty lines before", "\r\n\r\nGET /a HTTP/1.1\r\n\(host)\r\n", "GET a  "),
  RequestCase("a query", "GET /a?x=1&y&z=a=b HTTP/1.1\r\n\(host)\r\n", "GET a x=1&y=&z=a=b "),
  RequestCase("empty query items", "GET /a?&&x=1& HTTP/1.1\r\n\(host)\r\n", "GET a x=1 "),
  RequestCase("a plus stays a plus", "GET /a?q=1+1 HTTP/1.1\r\n\(host)\r\n", "GET a q=1+1 "),
  RequestCase("percent-encoding", "GET /%41%2fb?%26=%3D HTTP/1.1\r\n\(host)\r\n", "GET A/b &== "),
  RequestCase("decoded once", "GET /%2541 HTTP/1.1\r\n\(host)\r\n", "GET %41  "),
  RequestCase("UTF-8", "GET /%C3%A9%F0%9F%8C%B3 HTTP/1.1\r\n\(host)\r\n", "GET é🌳  "),
  RequestCase("dots are data", "GET /a/../%2e%2e HTTP/1.1\r\n\(host)\r\n", "GET a|..|..  "),
  RequestCase("absolute form", "GET http://localhost:1/a?b HTTP/1.1\r\n\(host)\r\n", "GET a b= "),
  RequestCase("absolute form, no path", "GET HTTP://localhost HTTP/1.1\r\n\(host)\r\n", "GET   "),
  RequestCase("asterisk form", "OPTIONS * HTTP/1.1\r\n\(host)\r\n", "OPTIONS   "),
  RequestCase("HEAD", "HEAD /a HTTP/1.1\r\n\(host)\r\n", "HEAD a  "),
  RequestCase(
    "content",
    "POST /a HTTP/1.1\r\n\(host)Content-Length: 5\r\n\r\nhello",
    "POST a  hello"
  ),
  RequestCase("empty content", "PUT /a HTTP/1.1\r\n\(host)content-length: 0\r\n\r\n", "PUT a  "),
  RequestCase(
    "length with zeros before",
    "PUT /a HTTP/1.1\r\n\(host)Content-Length: 002\r\n\r\nhi",
    "PUT a  hi"
  ),
  RequestCase(
    "content of GET",
    "GET /a HTTP/1.1\r\n\(host)Content-Length: 2\r\n\r\nhi",
    "GET a  hi"
  ),
  RequestCase(
    "chunks",
    "POST /a HTTP/1.1\r\n\(host)Transfer-Encoding: ChUnKeD\r\n\r\n"
      + "5\r\nhello\r\n00A;x=\"y\"\r\n, 90123456\r\n0\r\n\r\n",
    "POST a  hello, 90123456"
  ),
  RequestCase(
    "trailers have no effect",
    "POST /a HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n"
      + "1;a;b\r\nx\r\n000\r\nContent-Length: 7\r\nHost: other\r\n\r\n",
    "POST a  x"
  ),
  RequestCase(
    "no chunk",
    "POST /a HTTP/1.1\r\n\(host)Transfer-Encoding:chunked\r\n\r\n0\r\n\r\n",
    "POST a  "
  ),
  RequestCase(
    "an expectation",
    "PUT /a HTTP/1.1\r\n\(host)Expect: 100-Continue\r\n"
      + "Content-Length: 2\r\n\r\nhi",
    "PUT a  hi"
  ),
  RequestCase(
    "white space around values",
    "GET / HTTP/1.1\r\nHost:\t localhost \t\r\n\r\n",
    "GET   "
  ),
  RequestCase("an empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", "GET   "),
  RequestCase("IPv6 host", "GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", "GET   "),
  RequestCase("any loopback address", "GET / HTTP/1.1\r\nHost: 127.9.9.9:\r\n\r\n", "GET   "),
  RequestCase("a later minor version", "GET / HTTP/1.9\r\n\(host)\r\n", "GET   "),
  RequestCase(
    "look-alikes of framing",
    "GET / HTTP/1.1\r\n\(host)Content_Length: 9\r\n"
      + "Transfer_Encoding: x\r\nUpgrade: h2c\r\n\r\n",
    "GET   "
  ),
  RequestCase("high bytes in a value", "GET / HTTP/1.1\r\n\(host)X: é\r\n\r\n", "GET   "),
  RequestCase(
    "asks to close",
    "GET / HTTP/1.1\r\n\(host)Connection: a, CLOSE\r\n\r\n",
    "GET   ",
    keepsAlive: false
  ),
  RequestCase(
    "asks to close in a second line",
    "GET / HTTP/1.1\r\n\(host)Connection: keep-alive\r\nConnection: close\r\n\r\n",
    "GET   ",
    keepsAlive: false
  ),
  RequestCase("HTTP/1.0", "GET /a HTTP/1.0\r\n\r\n", "GET a  ", keepsAlive: false),
  RequestCase(
    "HTTP/1.0 that stays",
    "GET /a HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
    "GET a  "
  ),
]

private func get(_ target: String) -> String { "GET \(target) HTTP/1.1\r\n\(host)\r\n" }
private func with(_ fields: String) -> String { "POST / HTTP/1.1\r\n\(host)\(fields)\r\n\r\n" }
private func chunked(_ content: String) -> String { with("Transfer-Encoding: chunked") + content }

let requestLineRefusals: [RefusalCase] = [
  RefusalCase("no version", "GET /\r\n", 400),
  RefusalCase("one word", "GET\r\n", 400),
  RefusalCase("four words", "GET / HTTP/1.1 x\r\n", 400),
  RefusalCase("two spaces", "GET  / HTTP/1.1\r\n", 400),
  RefusalCase("a space before", " GET / HTTP/1.1\r\n", 400),
  RefusalCase("a space after", "GET / HTTP/1.1 \r\n", 400),
  RefusalCase("a tab between", "GET\t/ HTTP/1.1\r\n", 400),
  RefusalCase("NUL", "GE\0T / HTTP/1.1\r\n", 400),
  RefusalCase("a method that is no token", "GE(T / HTTP/1.1\r\n", 400),
  RefusalCase("LF alone", "GET / HTTP/1.1\n", 400),
  RefusalCase("CR alone", "GET / HT\rTP/1.1\r\n", 400),
  RefusalCase("TLS", bytes: [0x16, 3, 1, 2, 0, 1, 0, 1], 400),
  RefusalCase("lower-case version", "GET / http/1.1\r\n", 400),
  RefusalCase("short version", "GET / HTTP/1\r\n", 400),
  RefusalCase("long minor version", "GET / HTTP/1.10\r\n", 400),
  RefusalCase("long major version", "GET / HTTP/01.1\r\n", 400),
  RefusalCase("letters after the version", "GET / HTTP/1.1x\r\n", 400),
  RefusalCase("another protocol", "GET / FTP/1.1\r\n", 400),
  RefusalCase("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
  RefusalCase("HTTP/0.9 by name", "GET / HTTP/0.9\r\n\r\n", 505),
  RefusalCase("CONNECT", "CONNECT a:1 HTTP/1.1\r\n\(host)\r\n", 501),
  RefusalCase("an unknown method", "BREW / HTTP/1.1\r\n\(host)\r\n", 501, keepsAlive: true),
  RefusalCase("methods are case-sensitive", "get / HTTP/1.1\r\n\(host)\r\n", 501, keepsAlive: true),
]

let targetRefusals: [RefusalCase] = [
  RefusalCase("no slash", get("a"), 400),
  RefusalCase("authority form", get("localhost:80"), 400),
  RefusalCase("asterisk with GET", get("*"), 400),
  RefusalCase("a fragment", get("/a#b"), 400),
  RefusalCase("raw UTF-8", get("/é"), 400),
  RefusalCase("percent and no digits", get("/%zz"), 400),
  RefusalCase("percent and one digit", get("/%4"), 400),
  RefusalCase("percent at the end of a segment", get("/%4/1"), 400),
  RefusalCase("percent in the query", get("/?a=%"), 400),
  RefusalCase("an encoded NUL", get("/%00"), 400),
  RefusalCase("overlong UTF-8", get("/%C0%AF"), 400),
  RefusalCase("an encoded surrogate", get("/%ED%A0%80"), 400),
  RefusalCase("half a character in a query", get("/?%C3=%A9"), 400),
  RefusalCase("another scheme", get("ftp://localhost/"), 400),
  RefusalCase("no authority", get("http:///a"), 400),
  RefusalCase("user information", get("http://me@localhost/"), 400),
]

let fieldRefusals: [RefusalCase] = [
  RefusalCase("no host", "GET / HTTP/1.1\r\n\r\n", 400),
  RefusalCase("two hosts", with("Host: localhost"), 400),
  RefusalCase("host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
  RefusalCase("host with a user", "GET / HTTP/1.1\r\nHost: me@a\r\n\r\n", 400),
  RefusalCase("host with a space", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
  RefusalCase("a list of hosts", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", 400),
  RefusalCase("an open bracket", "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", 400),
  RefusalCase("a port of letters", "GET / HTTP/1.1\r\nHost: a:b\r\n\r\n", 400),
  RefusalCase("a port alone", "GET / HTTP/1.1\r\nHost: :80\r\n\r\n", 400),
  RefusalCase("a foreign host", "GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n", 421, keepsAlive: true),
  RefusalCase(
    "a loopback look-alike",
    "GET / HTTP/1.1\r\nHost: 127.0.0.1.evil\r\n\r\n",
    421,
    keepsAlive: true
  ),
  RefusalCase("a foreign absolute target", get("http://evil.test/"), 421, keepsAlive: true),
  RefusalCase("space before the colon", with("A : b"), 400),
  RefusalCase("space before the first field", "GET / HTTP/1.1\r\n \(host)\r\n", 400),
  RefusalCase("a folded field", with("A: b\r\n c"), 400),
  RefusalCase("no colon", with("A"), 400),
  RefusalCase("no name", with(": b"), 400),
  RefusalCase("a name that is no token", with("A(: b"), 400),
  RefusalCase("a name beyond ASCII", with("é: b"), 400),
  RefusalCase("NUL in a value", with("A: b\0"), 400),
  RefusalCase("a control in a value", with("A: \u{1}"), 400),
  RefusalCase("DEL in a value", with("A: \u{7F}"), 400),
  RefusalCase("CR in a value", with("A: b\rc"), 400),
  RefusalCase("LF after a field", "GET / HTTP/1.1\r\nHost: localhost\n\r\n", 400),
  RefusalCase("an unknown expectation", with("Expect: cake"), 417, keepsAlive: true),
  RefusalCase(
    "an unknown expectation with content",
    with("Expect: cake\r\nContent-Length: 3"),
    417
  ),
]

let framingRefusals: [RefusalCase] =
  [
    "+5", "-5", "-0", "0x5", "0_5", "5.0", "5e0", "", "\"5\"", "５", "5 5", "5, 5",
    "9223372036854775808", "99999999999999999999999999",
  ]
  .map { RefusalCase("length \($0)", with("Content-Length: \($0)"), 400) } + [
    RefusalCase("two lengths", with("Content-Length: 1\r\nContent-Length: 2"), 400),
    RefusalCase("the same length twice", with("Content-Length: 1\r\nContent-Length: 1"), 400),
    RefusalCase("both framings", with("Content-Length: 1\r\nTransfer-Encoding: chunked"), 400),
    RefusalCase("not chunked at the end", with("Transfer-Encoding: chunked, gzip"), 400),
    RefusalCase("not chunked at all", with("Transfer-Encoding: identity"), 400),
    RefusalCase("an unknown coding before", with("Transfer-Encoding: gzip, chunked"), 501),
    RefusalCase("chunked twice", with("Transfer-Encoding: chunked, chunked"), 400),
    RefusalCase(
      "two fields",
      with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
      400
    ),
    RefusalCase("an empty coding", with("Transfer-Encoding:"), 400),
    RefusalCase("an empty element", with("Transfer-Encoding: ,chunked"), 400),
    RefusalCase("a quoted coding", with("Transfer-Encoding: \"chunked\""), 400),
    RefusalCase("a parameter", with("Transfer-Encoding: chunked;q=1"), 400),
    RefusalCase("a no-break space", with("Transfer-Encoding: \u{A0}chunked"), 400),
    RefusalCase("chunks in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    RefusalCase("too much content", with("Content-Length: 16777217"), 413),
    RefusalCase(
      "too much content, not sent",
      with("Content-Length: 16777217\r\nExpect: 100-continue"),
      413
    ),
  ]

let chunkRefusals: [RefusalCase] =
  ["0x5", "+5", "-5", "5_", " 5", "5 ", "", "g", "10000000000000000", "8000000000000000"]
  .map { RefusalCase("size \($0)", chunked("\($0)\r\n"), 400) } + [
    RefusalCase("data longer than its size", chunked("2\r\nabc\r\n"), 400),
    RefusalCase("data closed by LF", chunked("2\r\nab\n0\r\n\r\n"), 400),
    RefusalCase("size ended by LF", chunked("2\nab\r\n"), 400),
    RefusalCase("extension ended by LF", chunked("2;a\nab\r\n"), 400),
    RefusalCase("CR in an extension", chunked("2;a\rb\r\n"), 400),
    RefusalCase("too large a chunk", chunked("1000001\r\n"), 413),
    RefusalCase("too large together", chunked("1\r\nx\r\n1000000\r\n"), 413),
    RefusalCase("a folded trailer", chunked("0\r\n a: b\r\n\r\n"), 400),
    RefusalCase("a trailer without colon", chunked("0\r\na\r\n\r\n"), 400),
    RefusalCase("NUL in a trailer", chunked("0\r\na: \0\r\n\r\n"), 400),
    RefusalCase("LF after trailers", chunked("0\r\n\n"), 400),
  ]

let allRefusals =
  requestLineRefusals + targetRefusals + fieldRefusals + framingRefusals + chunkRefusals

import Testing

/// A valid request with the expected result.
struct RequestCase: Sendable, CustomTestStringConvertible {
  let name: String
  let raw: [UInt8]
  /// The expected description; see `Exchange.describe`.
  let understood: String
  /// True if the connection stays open.
  let keepsAlive: Bool

  init(_ name: String, _ raw: String, _ understood: String, keepsAlive: Bool = true) {
    self.init(name, bytes: Array(raw.utf8), understood, keepsAlive: keepsAlive)
  }

  init(_ name: String, bytes: [UInt8], _ understood: String, keepsAlive: Bool = true) {
    self.name = name
    raw = bytes
    self.understood = understood
    self.keepsAlive = keepsAlive
  }

  var testDescription: String { name }
}

let host = "Host: localhost\r\n"

/// Returns a GET request for a target.
func get(_ target: String) -> String { "GET \(target) HTTP/1.1\r\n\(host)\r\n" }

/// Returns a request with further fields.
func with(_ fields: String, _ method: String = "POST") -> String {
  "\(method) / HTTP/1.1\r\n\(host)\(fields)\r\n\r\n"
}

let goodRequests: [RequestCase] = [
  RequestCase("the least request", "GET / HTTP/1.1\r\n\(host)\r\n", "GET   "),
  RequestCase("path segments", "GET /v1/a/b HTTP/1.1\r\n\(host)\r\n", "GET v1|a|b  "),
  RequestCase("a slash at the end", "GET /v1/ HTTP/1.1\r\n\(host)\r\n", "GET v1|  "),
  RequestCase("empty lines before", "\r\n\r\nGET /a HTTP/1.1\r\n\(host)\r\n", "GET a  "),
  RequestCase("the least of another method", "DELETE / HTTP/1.1\r\n\(host)\r\n", "DELETE   "),
  RequestCase(
    "empty lines before, after content",
    "\r\nPOST / HTTP/1.1\r\n\(host)Content-Length: 1\r\n\r\nx",
    "POST   x"
  ),
  RequestCase("a query", "GET /a?x=1&y&z=a=b HTTP/1.1\r\n\(host)\r\n", "GET a x=1&y=&z=a=b "),
  RequestCase("empty query items", "GET /a?&&x=1& HTTP/1.1\r\n\(host)\r\n", "GET a x=1 "),
  RequestCase("a plus is one in a path", get("/a+b%20c?d"), "GET a+b c d= "),
  RequestCase("in a query it is a space", get("/a+?q+=1+1&r=+&s=2"), "GET a+ q =1 1&r= &s=2 "),
  RequestCase("where it is not encoded", get("/a?q=1%2B1+%2b"), "GET a q=1+1 + "),
  RequestCase("what browsers send", get(#"/a^|[b]?q=\^`{|}[]"#), #"GET a^|[b] q=\^`{|}[] "#),
  RequestCase("percent-encoding", "GET /%41%2fb?%26=%3D HTTP/1.1\r\n\(host)\r\n", "GET A/b &== "),
  RequestCase("decoded once", "GET /%2541 HTTP/1.1\r\n\(host)\r\n", "GET %41  "),
  RequestCase("UTF-8", "GET /%C3%A9%F0%9F%8C%B3 HTTP/1.1\r\n\(host)\r\n", "GET é🌳  "),
  RequestCase("dots are data", "GET /a/../%2e%2e HTTP/1.1\r\n\(host)\r\n", "GET a|..|..  "),
  RequestCase("absolute form", "GET http://localhost:1/a?b HTTP/1.1\r\n\(host)\r\n", "GET a b= "),
  RequestCase("absolute form, no path", "GET HTTP://localhost HTTP/1.1\r\n\(host)\r\n", "GET   "),
  RequestCase("absolute form, a query at once", get("http://localhost?a"), "GET  a= "),
  RequestCase(
    "the absolute target replaces Host",
    "GET http://127.0.0.1/a HTTP/1.1\r\nHost: evil.test\r\n\r\n",
    "GET a  "
  ),
  RequestCase("asterisk form", "OPTIONS * HTTP/1.1\r\n\(host)\r\n", "OPTIONS   "),
  RequestCase(
    "asterisk form of HTTP/1.0",
    "OPTIONS * HTTP/1.0\r\n\r\n",
    "OPTIONS   ",
    keepsAlive: false
  ),
  RequestCase("what means it", "OPTIONS http://[::1]:80 HTTP/1.1\r\n\(host)\r\n", "OPTIONS   "),
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
    "an expectation in a list with empty elements",
    "PUT /a HTTP/1.1\r\n\(host)Expect: , 100-continue,\r\nContent-Length: 2\r\n\r\nhi",
    "PUT a  hi"
  ),
  RequestCase("no expectation in a list", with("Expect: ,", "GET"), "GET   "),
  RequestCase(
    "an expectation of HTTP/1.0",
    "GET / HTTP/1.0\r\nExpect: cake\r\n\r\n",
    "GET   ",
    keepsAlive: false
  ),
  RequestCase(
    "white space around values",
    "GET / HTTP/1.1\r\nHost:\t localhost \t\r\n\r\n",
    "GET   "
  ),
  RequestCase("an empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", "GET   "),
  RequestCase("IPv6 host", "GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", "GET   "),
  RequestCase("any loopback address", "GET / HTTP/1.1\r\nHost: 127.9.9.9:\r\n\r\n", "GET   "),
  RequestCase("the next minor version", "GET / HTTP/1.2\r\n\(host)\r\n", "GET   "),
  RequestCase("the last minor version", "GET / HTTP/1.9\r\n\(host)\r\n", "GET   "),
  RequestCase(
    "look-alikes of framing",
    "GET / HTTP/1.1\r\n\(host)Content_Length: 9\r\n"
      + "Transfer_Encoding: x\r\nUpgrade: h2c\r\n\r\n",
    "GET   "
  ),
  RequestCase("UTF-8 in a value", with("X: é", "GET"), "GET   "),
  RequestCase(
    "high bytes in a value",
    bytes: Array("GET / HTTP/1.1\r\n\(host)X: a".utf8) + [0x80, 0xFF] + Array("b\r\n\r\n".utf8),
    "GET   "
  ),
  RequestCase("a value that is empty", with("X:", "GET"), "GET   "),
  RequestCase("all characters of a name", with("!#$%&'*+-.^_`|~0aZ: b", "GET"), "GET   "),
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
  RequestCase(
    "asks to close in a list with empty elements",
    with("Connection: ,\t, close ,", "GET"),
    "GET   ",
    keepsAlive: false
  ),
  RequestCase("asks for what begins with close", with("Connection: closed", "GET"), "GET   "),
  RequestCase("an upgrade", with("Connection: Upgrade\r\nUpgrade: websocket", "GET"), "GET   "),
  RequestCase(
    "HTTP/1.0 that stays and closes",
    "GET /a HTTP/1.0\r\nConnection: close, keep-alive\r\n\r\n",
    "GET a  ",
    keepsAlive: false
  ),
  RequestCase("HTTP/1.0", "GET /a HTTP/1.0\r\n\r\n", "GET a  ", keepsAlive: false),
  RequestCase(
    "HTTP/1.0 that stays",
    "GET /a HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
    "GET a  "
  ),
]

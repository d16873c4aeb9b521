import HTTP
import Testing

/// A request that is refused, with the rule that it breaks.
struct RefusalCase: Sendable, CustomTestStringConvertible {
  let name: String
  let raw: [UInt8]
  let rule: RequestRejection
  /// True if the connection stays open.
  let keepsAlive: Bool
  /// The limits of the connection.
  private(set) var limits = Limits()
  /// The time without further input after the request.
  private(set) var silenceMilliseconds = 0

  init(_ name: String, _ raw: String, _ rule: RequestRejection, keepsAlive: Bool = false) {
    self.init(name, bytes: Array(raw.utf8), rule, keepsAlive: keepsAlive)
  }

  init(_ name: String, bytes: [UInt8], _ rule: RequestRejection, keepsAlive: Bool = false) {
    self.name = name
    raw = bytes
    self.rule = rule
    self.keepsAlive = keepsAlive
  }

  /// Returns the same case with other limits.
  func within(_ change: (inout Limits) -> Void) -> RefusalCase {
    var result = self
    change(&result.limits)
    return result
  }

  /// Returns the same case followed by a time without input.
  func followed(bySilenceOf milliseconds: Int) -> RefusalCase {
    var result = self
    result.silenceMilliseconds = milliseconds
    return result
  }

  var testDescription: String { name }
}

/// The requests that are refused for their bytes.
let allRefusals =
  requestLineRefusals + versionRefusals + methodRefusals + targetRefusals + hostRefusals
  + fieldRefusals + framingRefusals + chunkRefusals + trailerRefusals + limitRefusals

private func host(_ value: String) -> String { "GET / HTTP/1.1\r\nHost: \(value)\r\n\r\n" }

let requestLineRefusals: [RefusalCase] = [
  RefusalCase("no version", "GET /\r\n", .malformedRequestLine),
  RefusalCase("one word", "GET\r\n", .malformedRequestLine),
  RefusalCase("a space alone", " \r\n", .malformedRequestLine),
  RefusalCase("four words", "GET / HTTP/1.1 x\r\n", .malformedVersion),
  RefusalCase("two spaces", "GET  / HTTP/1.1\r\n", .malformedRequestLine),
  RefusalCase("two spaces before the version", "GET /  HTTP/1.1\r\n", .malformedVersion),
  RefusalCase("a space before", " GET / HTTP/1.1\r\n", .malformedRequestLine),
  RefusalCase("a space after", "GET / HTTP/1.1 \r\n", .malformedVersion),
  RefusalCase("a tab between", "GET\t/ HTTP/1.1\r\n", .malformedRequestLine),
  RefusalCase("a tab before the version", "GET /\tHTTP/1.1\r\n", .malformedRequestLine),
  RefusalCase("a space in the target", get("/a b"), .malformedVersion),
  RefusalCase("a tab in the target", get("/a\tb"), .malformedTarget),
  RefusalCase("a vertical tab in the target", get("/a\u{B}b"), .controlCharacter),
  RefusalCase("a form feed between", "GET\u{C}/ HTTP/1.1\r\n", .controlCharacter),
  RefusalCase("NUL", "GE\0T / HTTP/1.1\r\n", .controlCharacter),
  RefusalCase("a method that is no token", "GE(T / HTTP/1.1\r\n", .malformedRequestLine),
  RefusalCase("a method beyond ASCII", "GÉT / HTTP/1.1\r\n", .malformedRequestLine),
  RefusalCase("LF alone", "GET / HTTP/1.1\n", .bareLineFeed),
  RefusalCase("LF alone before", "\nGET / HTTP/1.1\r\n", .bareLineFeed),
  RefusalCase("CR alone", "GET / HT\rTP/1.1\r\n", .bareCarriageReturn),
  RefusalCase("CR alone before", "\rGET / HTTP/1.1\r\n", .bareCarriageReturn),
  RefusalCase("CR twice", "GET / HTTP/1.1\r\r\n", .bareCarriageReturn),
  RefusalCase("TLS", bytes: [0x16, 3, 1, 2, 0, 1, 0, 1], .controlCharacter),
  RefusalCase("bytes beyond ASCII", bytes: [0x80], .malformedRequestLine),
  RefusalCase("bytes beyond ASCII in a method", bytes: [0x47, 0xFF], .malformedRequestLine),
  RefusalCase("a space and no line", " ", .malformedRequestLine),
  RefusalCase("an object", "{", .malformedRequestLine),
  RefusalCase("a tab in a method", "GET\t", .malformedRequestLine),
]

let versionRefusals: [RefusalCase] = [
  RefusalCase("lower-case version", "GET / http/1.1\r\n", .malformedVersion),
  RefusalCase("short version", "GET / HTTP/1\r\n", .malformedVersion),
  RefusalCase("a point alone", "GET / HTTP/1.\r\n", .malformedVersion),
  RefusalCase("long minor version", "GET / HTTP/1.10\r\n", .malformedVersion),
  RefusalCase("long major version", "GET / HTTP/01.1\r\n", .malformedVersion),
  RefusalCase("a sign", "GET / HTTP/+1.1\r\n", .malformedVersion),
  RefusalCase("letters after the version", "GET / HTTP/1.1x\r\n", .malformedVersion),
  RefusalCase("another protocol", "GET / FTP/1.1\r\n", .malformedVersion),
  RefusalCase("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .unsupportedVersion),
  RefusalCase("HTTP/9.9", "GET / HTTP/9.9\r\n\r\n", .unsupportedVersion),
  RefusalCase("HTTP/0.9 by name", "GET / HTTP/0.9\r\n\r\n", .unsupportedVersion),
]

let methodRefusals: [RefusalCase] = [
  RefusalCase("CONNECT", "CONNECT a:1 HTTP/1.1\r\n\(host)\r\n", .tunnelRefused),
  RefusalCase("CONNECT of a path", "CONNECT / HTTP/1.1\r\n\(host)\r\n", .tunnelRefused),
  RefusalCase("CONNECT of an asterisk", "CONNECT * HTTP/1.1\r\n\(host)\r\n", .tunnelRefused),
  RefusalCase(
    "an unknown method",
    "BREW / HTTP/1.1\r\n\(host)\r\n",
    .unknownMethod,
    keepsAlive: true
  ),
  RefusalCase(
    "a long method",
    "\(String(repeating: "A", count: 32)) / HTTP/1.1\r\n\(host)\r\n",
    .unknownMethod,
    keepsAlive: true
  ),
  RefusalCase("a longer one", String(repeating: "A", count: 33), .unknownMethod),
  RefusalCase(
    "methods are case-sensitive",
    "get / HTTP/1.1\r\n\(host)\r\n",
    .unknownMethod,
    keepsAlive: true
  ),
  RefusalCase(
    "an unknown method with content",
    "BREW / HTTP/1.1\r\n\(host)Content-Length: 2\r\n\r\nhi",
    .unknownMethod,
    keepsAlive: true
  ),
]

let targetRefusals: [RefusalCase] =
  [
    RefusalCase("no slash", get("a"), .malformedTarget),
    RefusalCase("authority form", get("localhost:80"), .malformedTarget),
    RefusalCase("asterisk and more", "OPTIONS *a HTTP/1.1\r\n\(host)\r\n", .malformedTarget),
    RefusalCase("a query alone", get("?a"), .malformedTarget),
    RefusalCase("a fragment", get("/a#b"), .malformedTarget),
    RefusalCase("a fragment in the query", get("/a?b#c"), .malformedTarget),
    RefusalCase("raw UTF-8", get("/é"), .malformedTarget),
  ]
  + Method.allCases.filter { ![.options, .head].contains($0) }.map {
    let request = "\($0.rawValue) * HTTP/1.1\r\n\(host)\r\n"
    return RefusalCase("asterisk with \($0.rawValue)", request, .malformedTarget)
  } + #"<>"\`{}"#.map { RefusalCase("\($0) in the path", get("/a\($0)b"), .malformedTarget) }
  + #"<>""#.map { RefusalCase("\($0) in the query", get("/?a=\($0)b"), .malformedTarget) }
  + [
    RefusalCase("percent and no digits", get("/%zz"), .malformedPercentEncoding),
    RefusalCase("percent and one digit", get("/%4"), .malformedPercentEncoding),
    RefusalCase("percent at the end of a segment", get("/%4/1"), .malformedPercentEncoding),
    RefusalCase("percent at the end", get("/a%"), .malformedPercentEncoding),
    RefusalCase("percent in the query", get("/?a=%"), .malformedPercentEncoding),
    RefusalCase("percent and a sign", get("/%+1"), .malformedPercentEncoding),
    RefusalCase("an encoded NUL", get("/%00"), .malformedPercentEncoding),
    RefusalCase("overlong UTF-8", get("/%C0%AF"), .targetNotUTF8),
    RefusalCase("an encoded surrogate", get("/%ED%A0%80"), .targetNotUTF8),
    RefusalCase("half a character in a query", get("/?%C3=%A9"), .targetNotUTF8),
    RefusalCase("another scheme", get("ftp://localhost/"), .malformedTarget),
    RefusalCase("one slash", get("http:/localhost/"), .malformedTarget),
    RefusalCase("no authority", get("http:///a"), .malformedTarget),
    RefusalCase("user information", get("http://me@localhost/"), .malformedTarget),
    RefusalCase("an encrypted target", get("https://localhost/"), .misdirected, keepsAlive: true),
    RefusalCase(
      "absolute form without host",
      "GET http://localhost/ HTTP/1.1\r\n\r\n",
      .missingHost
    ),
    RefusalCase(
      "absolute form with a bad host",
      "GET http://localhost/ HTTP/1.1\r\nHost: a/b\r\n\r\n",
      .malformedHost
    ),
  ]

let hostRefusals: [RefusalCase] =
  [
    "a/b", "me@a", "a b", "a, b", "a,b", "a:b", ":80", "a:1:2", "a:-1", "a?b", "a#b", "a\"b",
    "a\\b",
    "a%", "a%4", "a%zz", "é", "[::1", "::1]", "[]", "[::1]a", "[::1]a:80", "[::1]:b", "[1]",
    "[:::]", "[1::2::3]", "[12345::]", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]",
    "[1:2:3:4:5:6:7:8::]", "[::1.2.3]", "[::1.2.3.256]", "[::01.2.3.4]", "[1.2.3.4::]", "[:1::]",
    "[1:]", "[::g]", "[::1%25lo]", "[v1]", "[v.a]", "[vg.a]", "[v1.]", "[v1.a/b]",
  ].map { RefusalCase("host \($0)", host($0), .malformedHost) }
  + [
    "evil.test", "127.0.0.1.evil", "localhost.evil", "1.2.3.4", "[::2]", "[1:2:3:4:5:6:7:8]",
    "[1:2:3:4:5:6:1.2.3.4]", "[::255.255.255.255]", "[1::]", "[1:2:3:4:5:6:7::]", "[FE80::a:b]",
    "[vF.a:b]", "a%41", "128.0.0.1", "127.0.0",
  ].map { RefusalCase("foreign host \($0)", host($0), .misdirected, keepsAlive: true) }
  + [
    RefusalCase(
      "a foreign host and an unknown method",
      "BREW / HTTP/1.1\r\nHost: evil.test\r\n\r\n",
      .misdirected,
      keepsAlive: true
    ),
    RefusalCase(
      "a foreign host and an unknown expectation",
      "GET / HTTP/1.1\r\nHost: evil.test\r\nExpect: cake\r\n\r\n",
      .misdirected,
      keepsAlive: true
    ),
    RefusalCase(
      "an unknown method and an unknown expectation",
      "BREW / HTTP/1.1\r\n\(host)Expect: cake\r\n\r\n",
      .unknownMethod,
      keepsAlive: true
    ),
    RefusalCase("no host", "GET / HTTP/1.1\r\n\r\n", .missingHost),
    RefusalCase("two equal hosts", with("Host: localhost"), .repeatedHost),
    RefusalCase("two hosts", with("Host: a"), .repeatedHost),
    RefusalCase("two hosts of HTTP/1.0", "GET / HTTP/1.0\r\n\(host)\(host)\r\n", .repeatedHost),
    RefusalCase(
      "a foreign absolute target",
      get("http://evil.test/"),
      .misdirected,
      keepsAlive: true
    ),
  ]

let fieldRefusals: [RefusalCase] = [
  RefusalCase("space before the colon", with("A : b"), .whitespaceBeforeColon),
  RefusalCase("a tab before the colon", with("A\t: b"), .whitespaceBeforeColon),
  RefusalCase(
    "space before the colon of a length",
    with("Content-Length : 1"),
    .whitespaceBeforeColon
  ),
  RefusalCase("space before the first field", "GET / HTTP/1.1\r\n \(host)\r\n", .foldedField),
  RefusalCase("a folded field", with("A: b\r\n c"), .foldedField),
  RefusalCase("a field folded by a tab", with("A: b\r\n\tc"), .foldedField),
  RefusalCase("a fold of nothing", with("A: b\r\n "), .foldedField),
  RefusalCase("no colon", with("A"), .malformedFieldLine),
  RefusalCase("no name", with(": b"), .malformedFieldLine),
  RefusalCase("a name that is no token", with("A(: b"), .malformedFieldLine),
  RefusalCase("a name beyond ASCII", with("é: b"), .malformedFieldLine),
  RefusalCase("NUL in a name", with("A\0: b"), .controlCharacter),
  RefusalCase("NUL in a value", with("A: b\0"), .controlCharacter),
  RefusalCase("a control in a value", with("A: \u{1}"), .controlCharacter),
  RefusalCase("a vertical tab around a value", with("A: \u{B}b"), .controlCharacter),
  RefusalCase("DEL in a value", with("A: \u{7F}"), .controlCharacter),
  RefusalCase("CR in a value", with("A: b\rc"), .bareCarriageReturn),
  RefusalCase("LF after a field", "GET / HTTP/1.1\r\nHost: localhost\n\r\n", .bareLineFeed),
  RefusalCase("LF for the empty line", "GET / HTTP/1.1\r\n\(host)\n", .bareLineFeed),
  RefusalCase(
    "an unknown expectation",
    with("Expect: cake"),
    .unknownExpectation,
    keepsAlive: true
  ),
  RefusalCase(
    "an unknown expectation beside a known one",
    with("Expect: cake\r\nExpect: 100-continue"),
    .unknownExpectation,
    keepsAlive: true
  ),
  RefusalCase(
    "an unknown expectation with content",
    with("Expect: cake\r\nContent-Length: 3"),
    .unknownExpectation
  ),
]

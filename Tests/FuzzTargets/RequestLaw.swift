/// Requests give the same result in any pieces.
enum RequestLaw {
  /// Checks an input. Its first byte determines the pieces of the others.
  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    guard let seed = input.first else { return }
    let bytes = input.dropFirst()
    let whole = transcript(of: bytes) { _ in bytes.count }
    let bytewise = transcript(of: bytes) { _ in 1 }
    try FuzzFinding.expect(whole == bytewise, "byte by byte, the transcript differs")
    var state = UInt64(seed) &+ 1
    let cut = transcript(of: bytes) { left in
      state = state &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F
      return Int(state >> 33) % left + 1
    }
    try FuzzFinding.expect(whole == cut, "in pieces, the transcript differs")
  }

  private static func transcript(
    of bytes: ArraySlice<UInt8>,
    _ pieceLength: (_ left: Int) -> Int
  ) -> [UInt8] {
    var wire = Wire()
    var rest = bytes
    while !rest.isEmpty {
      let count = pieceLength(rest.count)
      wire.feed(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return wire.transcript
  }

  private static let host = "Host: localhost\r\n"

  static let corpus: [[UInt8]] = [
    "GET /a%2Fb?c=d HTTP/1.1\r\n\(host)\r\n",
    "\r\n\r\nHEAD / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET * HTTP/1.1\r\n",
    "GET http://[::1]:80/%C3%A9 HTTP/1.1\r\n\(host)Connection: a, close\r\n\r\n",
    "POST / HTTP/1.1\r\n\(host)Content-Length: 5\r\n\r\nhello\r\nBREW /x HTTP/1.1\r\n\(host)\r\n",
    "PUT / HTTP/1.1\r\n\(host)Expect: 100-continue\r\nContent-Length: 2\r\n\r\nhi",
    "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n"
      + "5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\nGET / HTTP/1.1\r\n\(host)\r\n",
    "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: gzip, chunked\r\n\r\n",
    "OPTIONS * HTTP/1.9\r\nHost: evil.test\r\nX-Request-Id: abc\r\n"
      + "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n\r\n",
    "GET / HTTP/1.1\r\nA : b\r\n\r\n", "GET / HTTP/1.1\r\n\(host) folded\r\n\r\n",
  ].map { [7] + Array($0.utf8) }
}

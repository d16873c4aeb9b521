/// Writes responses as bytes (RFC 9112, 4–6).
enum ResponseSerializer {
  /// What a client that sent `Expect: 100-continue` waits for.
  static let continueLine = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  /// What the request and the connection decide about the form of its answer.
  struct Form {
    /// The answer to HEAD has the fields of the answer to GET and no content.
    var isHead = false
    /// The connection ends after this answer, and the answer says so.
    var closes = false
    /// The client is told that the connection goes on, as HTTP/1.0 wants (RFC 9112, 9.3).
    var announcesKeepAlive = false
  }

  /// Appends a whole response.
  static func append(
    _ response: Response,
    as form: Form,
    date: DateStamp,
    to bytes: inout [UInt8]
  ) {
    let sendsContent = !form.isHead && !response.status.excludesContent
    bytes.reserveCapacity(bytes.count + 512 + (sendsContent ? response.body.count : 0))
    appendStatusLine(response.status, to: &bytes)
    bytes.append(contentsOf: date.bytes)
    for index in 0..<response.fields.count {
      bytes.append(contentsOf: lineEnd)
      bytes.append(contentsOf: response.fields.line(at: index))
    }
    if !response.status.excludesContent {
      bytes.append(contentsOf: lengthName)
      appendDecimal(response.body.count, to: &bytes)
    }
    bytes.append(contentsOf: noSniff)
    if !response.fields.contains(.cacheControl) { bytes.append(contentsOf: noStore) }
    if form.closes {
      bytes.append(contentsOf: close)
    } else if form.announcesKeepAlive {
      bytes.append(contentsOf: keepAlive)
    }
    bytes.append(contentsOf: headEnd)
    if sendsContent { bytes.append(contentsOf: response.body) }
  }

  // Each line but the first begins with the end of the one before, so that what always stands
  // together is appended in one go.
  private static let okLine = Array("HTTP/1.1 200 OK\r\nDate: ".utf8)
  private static let lineEnd = Array("\r\n".utf8)
  private static let lengthName = Array("\r\nContent-Length: ".utf8)
  private static let noSniff = Array("\r\nX-Content-Type-Options: nosniff".utf8)
  private static let noStore = Array("\r\nCache-Control: no-store".utf8)
  private static let close = Array("\r\nConnection: close".utf8)
  private static let keepAlive = Array("\r\nConnection: keep-alive".utf8)
  private static let headEnd = Array("\r\n\r\n".utf8)

  /// Appends the status line and the name of the date.
  ///
  /// The space after the code stands even where the reason is empty (RFC 9112, 4).
  private static func appendStatusLine(_ status: Status, to bytes: inout [UInt8]) {
    if status == .ok {
      bytes.append(contentsOf: okLine)
    } else {
      bytes.append(contentsOf: "HTTP/1.1 \(status.code) \(status.reason)\r\nDate: ".utf8)
    }
  }

  private static func appendDecimal(_ number: Int, to bytes: inout [UInt8]) {
    let start = bytes.count
    var rest = number
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }
}

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
    /// What the request was written in.
    ///
    /// HTTP/1.0 knows no chunks, and is told that the connection goes on (RFC 9112, 9.3).
    var version = Version.http11
    /// Whether another client could have got other bytes: its content depends on what codings the
    /// client takes.
    var varies = false
    /// Whether the content is coded as gzip.
    var isCoded = false
    /// What it carries whatever it is.
    var common = CommonFields()
  }

  /// What the head says about the extent of the content.
  private enum Framing {
    case none
    case length(Int)
    case chunked
  }

  /// Content of more bytes than this is not copied: to send two pieces takes less.
  private static let maxCopiedBytes = 2 * 1024

  /// Appends a whole response, or all of it but its content if that is long.
  ///
  /// - Returns: The content that comes behind it.
  static func append(
    _ response: Response,
    as form: Form,
    date: DateStamp,
    to bytes: inout [UInt8]
  ) -> [UInt8] {
    let hasContent = !response.status.excludesContent
    let hasBody = hasContent && !form.isHead
    let isCopied = hasBody && response.body.count <= maxCopiedBytes
    // How long coded content is shows only when it is coded, which for HEAD it is not.
    let isKnown = !form.isCoded || !form.isHead
    let framing = hasContent && isKnown ? Framing.length(response.body.count) : .none
    let room = headRoom(response, form) + (isCopied ? response.body.count : 0)
    bytes.append(addingCapacity: room) { bytes in
      appendHead(response, as: form, framing: framing, date: date, to: &bytes)
      if isCopied { bytes.append(response.body.span) }
    }
    return hasBody && !isCopied ? response.body : []
  }

  /// Appends the beginning of a response whose content goes on, or its end is not known.
  ///
  /// To HTTP/1.0 the end of the connection is the end of the content (RFC 9112, 6.3), so that the
  /// form must be one that closes.
  static func appendBeginning(
    of response: Response,
    as form: Form,
    date: DateStamp,
    to bytes: inout [UInt8]
  ) {
    let hasContent = !response.status.excludesContent
    let framing = hasContent && form.version == .http11 ? Framing.chunked : .none
    bytes.append(addingCapacity: headRoom(response, form)) { head in
      appendHead(response, as: form, framing: framing, date: date, to: &head)
    }
    if hasContent, !form.isHead, !form.isCoded, !response.body.isEmpty {
      appendChunk(response.body, as: form, to: &bytes)
    }
  }

  /// Appends a piece of content, which must not be empty (RFC 9112, 7.1).
  static func appendChunk(_ chunk: [UInt8], as form: Form, to bytes: inout [UInt8]) {
    precondition(!chunk.isEmpty, "an empty chunk would be the last")
    bytes.reserveCapacity(bytes.count + chunk.count + 32)
    guard form.version == .http11 else { return bytes.append(contentsOf: chunk) }
    bytes.append(contentsOf: String(chunk.count, radix: 16).utf8)
    bytes.append("\r\n")
    bytes.append(contentsOf: chunk)
    bytes.append("\r\n")
  }

  /// Appends the end of content that was begun.
  static func appendEnd(as form: Form, to bytes: inout [UInt8]) {
    if form.version == .http11 { bytes.append("0\r\n\r\n") }
  }

  /// How much room a head takes at most: half a kilobyte for all that is said of any answer, and as
  /// much as is said of this one.
  private static func headRoom(_ response: Response, _ form: Form) -> Int {
    512 + response.fields.lineBytes + ContentCoding.gzip.tagSuffix.count + form.common.room
  }

  /// Appends all up to the content.
  ///
  /// Each line but the first begins with the end of the one before, so that what always stands
  /// together is appended in one go.
  private static func appendHead(
    _ response: Response,
    as form: Form,
    framing: Framing,
    date: DateStamp,
    to head: inout OutputSpan<UInt8>
  ) {
    appendStatusLine(response.status, to: &head)
    head.append(date.bytes.span)
    if form.isCoded {
      response.fields.appendLines(to: &head, extendingTagBy: ContentCoding.gzip.tagSuffix)
    } else {
      response.fields.appendLines(to: &head)
    }
    switch framing {
    case .none: break
    case .length(let count):
      head.append("\r\nContent-Length: ")
      head.append(decimal: count)
    case .chunked: head.append("\r\nTransfer-Encoding: chunked")
    }
    if response.fields.contains(.cacheControl) {
      head.append("\r\nX-Content-Type-Options: nosniff")
    } else {
      head.append("\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store")
    }
    if form.isCoded { head.append("\r\nContent-Encoding: gzip") }
    if form.varies, !response.status.excludesContent || response.status == .notModified {
      head.append("\r\nVary: Accept-Encoding")
    }
    form.common.append(to: &head)
    if form.closes {
      head.append("\r\nConnection: close")
    } else if form.version == .http10 {
      head.append("\r\nConnection: keep-alive")
    }
    head.append("\r\n\r\n")
  }

  /// Appends the status line and the name of the date.
  ///
  /// The space after the code stands even where the reason is empty (RFC 9112, 4).
  private static func appendStatusLine(_ status: Status, to head: inout OutputSpan<UInt8>) {
    if status == .ok {
      head.append("HTTP/1.1 200 OK\r\nDate: ")
    } else {
      head.append(Array("HTTP/1.1 \(status.code) \(status.reason)\r\nDate: ".utf8).span)
    }
  }
}

/// Writes responses as bytes (RFC 9112, 4–6).
enum ResponseSerializer {
  /// The interim response to `Expect: 100-continue`.
  static let continueLine = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
  /// The interim response to a client that has shut down its sending side and waits.
  static let processingLine = Array("HTTP/1.1 102 Processing\r\n\r\n".utf8)

  /// The form of a response, as far as it depends on the request and the connection.
  struct Form {
    /// True for a response to HEAD, which has the fields of a response to GET but no content.
    var isHead = false
    /// True if the connection closes after the response, which announces it.
    var closes = false
    /// The version of the request.
    ///
    /// HTTP/1.0 has no chunks, and needs `Connection: keep-alive` if the connection stays open (RFC
    /// 9112, 9.3).
    var version = Version.http11
    /// True if the content depends on the codings that a client accepts.
    var varies = false
    /// True if the content is encoded as gzip.
    var isCoded = false
    /// The fields that every response carries.
    var common = CommonFields()
    /// True if a stream has a known length, so that its pieces are sent without chunks.
    var hasLength = false

    /// True if the pieces of a stream are sent as chunks.
    var isChunked: Bool { version == .http11 && !hasLength }
  }

  /// The information in the head about the end of the content.
  private enum Framing {
    case none
    case length(Int)
    case chunked
  }

  /// The maximum length of content that is copied behind the head, in bytes.
  ///
  /// For longer content it is faster to send two pieces.
  private static let maxCopiedBytes = 2 * 1024

  /// Appends a whole response, or all but its content if that is long.
  ///
  /// - Returns: The content to send behind the appended bytes.
  static func append(
    _ response: Response,
    as form: Form,
    date: DateStamp,
    to bytes: inout [UInt8]
  ) -> [UInt8] {
    let hasContent = !response.status.excludesContent
    let hasBody = hasContent && !form.isHead
    let isCopied = hasBody && response.body.count <= maxCopiedBytes
    // The length of encoded content is unknown for HEAD, for which nothing is encoded.
    let isKnown = !form.isCoded || !form.isHead
    let length = form.isHead ? response.lengthForHead : response.body.count
    let framing = hasContent && isKnown ? length.map(Framing.length) ?? .none : .none
    let room = headRoom(response, form) + (isCopied ? response.body.count : 0)
    bytes.append(addingCapacity: room) { bytes in
      appendHead(response, as: form, framing: framing, date: date, to: &bytes)
      if isCopied { bytes.append(response.body.span) }
    }
    return hasBody && !isCopied ? response.body : []
  }

  /// Appends the head of a response whose content is a stream, and the body as its first content.
  ///
  /// With HTTP/1.0 the end of the connection ends the content (RFC 9112, 6.3), so `form.closes`
  /// must be true.
  static func appendBeginning(
    of response: Response,
    as form: Form,
    date: DateStamp,
    to bytes: inout [UInt8]
  ) {
    let hasContent = !response.status.excludesContent
    var framing = hasContent && form.isChunked ? Framing.chunked : .none
    if form.hasLength, hasContent, let length = response.relayedLength { framing = .length(length) }
    bytes.append(addingCapacity: headRoom(response, form)) { head in
      appendHead(response, as: form, framing: framing, date: date, to: &head)
    }
    if hasContent, !form.isHead, !form.isCoded, !response.body.isEmpty {
      appendChunk(response.body, as: form, to: &bytes)
    }
  }

  /// Appends a piece of a stream, which must not be empty (RFC 9112, 7.1).
  static func appendChunk(_ chunk: [UInt8], as form: Form, to bytes: inout [UInt8]) {
    precondition(!chunk.isEmpty, "an empty chunk would be the last")
    bytes.reserveCapacity(bytes.count + chunk.count + 32)
    guard form.isChunked else { return bytes.append(contentsOf: chunk) }
    bytes.append(contentsOf: String(chunk.count, radix: 16).utf8)
    bytes.append("\r\n")
    bytes.append(contentsOf: chunk)
    bytes.append("\r\n")
  }

  /// Appends the end of a stream.
  static func appendEnd(as form: Form, to bytes: inout [UInt8]) {
    if form.isChunked { bytes.append("0\r\n\r\n") }
  }

  /// Returns an upper bound for the length of a head: half a kilobyte and the variable fields.
  private static func headRoom(_ response: Response, _ form: Form) -> Int {
    512 + response.fields.lineBytes + ContentCoding.gzip.tagSuffix.count + form.common.room
  }

  /// Appends the head.
  ///
  /// Each line but the first begins with the end of the line before it, so that constant parts of
  /// several lines are appended at once.
  private static func appendHead(
    _ response: Response,
    as form: Form,
    framing: Framing,
    date: DateStamp,
    to head: inout OutputSpan<UInt8>
  ) {
    let isOwn = !response.isRelayed
    appendStatusLine(response.status, to: &head)
    if isOwn {
      head.append("\r\nDate: ")
      head.append(date.bytes.span)
    }
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
    if isOwn { appendSafeguards(of: response, to: &head) }
    if form.isCoded { head.append("\r\nContent-Encoding: gzip") }
    if isOwn {
      if form.varies, !response.status.excludesContent || response.status == .notModified {
        head.append("\r\nVary: Accept-Encoding")
      }
      form.common.append(to: &head)
    }
    if form.closes {
      head.append("\r\nConnection: close")
    } else if form.version == .http10 {
      head.append("\r\nConnection: keep-alive")
    }
    head.append("\r\n\r\n")
  }

  /// Appends the fields against guessing of types and against caching.
  private static func appendSafeguards(
    of response: Response,
    to head: inout OutputSpan<UInt8>
  ) {
    if response.fields.contains(.cacheControl) {
      head.append("\r\nX-Content-Type-Options: nosniff")
    } else {
      head.append("\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store")
    }
  }

  /// Appends the status line without its end.
  ///
  /// The space after the code is required even if the reason is empty (RFC 9112, 4).
  private static func appendStatusLine(_ status: Status, to head: inout OutputSpan<UInt8>) {
    if status == .ok {
      head.append("HTTP/1.1 200 OK")
    } else {
      head.append(Array("HTTP/1.1 \(status.code) \(status.reason)".utf8).span)
    }
  }
}

extension Response {
  /// True if another server wrote the head.
  var isRelayed: Bool {
    guard case .relayed = origin else { return false }
    return true
  }

  /// The length of the content that another server announced, if it did.
  var relayedLength: Int? {
    guard case .relayed(let length) = origin else { return nil }
    return length
  }

  /// The length that a response to HEAD announces; nil for none.
  fileprivate var lengthForHead: Int? { isRelayed ? relayedLength : body.count }
}

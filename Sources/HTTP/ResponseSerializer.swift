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
    let content = hasContent && !form.isHead ? response.body : []
    let isCopied = content.count <= maxCopiedBytes
    bytes.reserveCapacity(bytes.count + 512 + (isCopied ? content.count : 0))
    // How long coded content is shows only when it is coded, which for HEAD it is not.
    let isKnown = !form.isCoded || !form.isHead
    let framing = hasContent && isKnown ? Framing.length(response.body.count) : .none
    appendHead(response, as: form, framing: framing, date: date, to: &bytes)
    guard isCopied else { return content }
    bytes.append(contentsOf: content)
    return []
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
    appendHead(response, as: form, framing: framing, date: date, to: &bytes)
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

  /// Appends all up to the content.
  ///
  /// Each line but the first begins with the end of the one before, so that what always stands
  /// together is appended in one go.
  private static func appendHead(
    _ response: Response,
    as form: Form,
    framing: Framing,
    date: DateStamp,
    to bytes: inout [UInt8]
  ) {
    appendStatusLine(response.status, to: &bytes)
    bytes.append(contentsOf: date.bytes)
    if form.isCoded {
      response.fields.appendLines(to: &bytes, extendingTagBy: ContentCoding.gzip.tagSuffix)
    } else {
      response.fields.appendLines(to: &bytes)
    }
    switch framing {
    case .none: break
    case .length(let count):
      bytes.append("\r\nContent-Length: ")
      bytes.append(decimal: count)
    case .chunked: bytes.append("\r\nTransfer-Encoding: chunked")
    }
    if response.fields.contains(.cacheControl) {
      bytes.append("\r\nX-Content-Type-Options: nosniff")
    } else {
      bytes.append("\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store")
    }
    if form.isCoded { bytes.append("\r\nContent-Encoding: gzip") }
    if form.varies, !response.status.excludesContent || response.status == .notModified {
      bytes.append("\r\nVary: Accept-Encoding")
    }
    form.common.append(to: &bytes)
    if form.closes {
      bytes.append("\r\nConnection: close")
    } else if form.version == .http10 {
      bytes.append("\r\nConnection: keep-alive")
    }
    bytes.append("\r\n\r\n")
  }

  /// Appends the status line and the name of the date.
  ///
  /// The space after the code stands even where the reason is empty (RFC 9112, 4).
  private static func appendStatusLine(_ status: Status, to bytes: inout [UInt8]) {
    if status == .ok {
      bytes.append("HTTP/1.1 200 OK\r\nDate: ")
    } else {
      bytes.append(contentsOf: "HTTP/1.1 \(status.code) \(status.reason)\r\nDate: ".utf8)
    }
  }
}

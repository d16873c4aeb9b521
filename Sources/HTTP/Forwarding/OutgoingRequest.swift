/// A request to another server, as it is sent.
package struct OutgoingRequest: Sendable {
  /// The content of a request.
  package enum Content: Sendable {
    /// The complete content.
    case whole([UInt8])
    /// Content that follows, with a known number of bytes.
    case announced(Int)
    /// Content that follows, with an unknown number of bytes.
    case chunked
  }

  /// The bytes of the head, with the empty line at the end.
  package let head: [UInt8]
  /// The content, if all of it is known.
  package let body: [UInt8]
  /// True if content follows later.
  package let hasMore: Bool
  /// True if content that follows is sent in chunks.
  package let isChunked: Bool
  /// True if the response has no content, because the method is HEAD.
  package let isToHead: Bool
  /// True if the request can be sent twice without a further effect.
  package let isRepeatable: Bool

  /// Creates a request that forwards another one.
  ///
  /// Fields of the connection are left out, and so is `Expect`, unless content follows that the
  /// client has not sent yet.
  ///
  /// - Parameters:
  ///   - request: The request of the client.
  ///   - method: The method; nil for that of the request.
  ///   - target: The path and the query; nil for those of the request.
  ///   - content: The content.
  ///   - names: The names of fields to leave out.
  ///   - fields: The fields to add.
  package init(
    forwarding request: Request,
    method: Method? = nil,
    target: [UInt8]? = nil,
    content: Content,
    leavingOut names: [FieldName] = [],
    adding fields: Fields = Fields()
  ) {
    let method = method ?? request.method
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512 + request.fields.lineBytes + fields.lineBytes)
    bytes.append(contentsOf: method.rawValue.utf8)
    bytes.append(.space)
    if let target {
      bytes.append(contentsOf: target)
    } else {
      bytes.append(contentsOf: request.target.pathAndQuery)
    }
    bytes.append(" HTTP/1.1\r\nHost: ")
    bytes.append(contentsOf: request.host)
    Self.append(request.fields, leavingOut: names + [.host, .expect], to: &bytes)
    Self.append(fields, leavingOut: [], to: &bytes)
    switch content {
    case .whole(let body):
      if !body.isEmpty { Self.append(length: body.count, to: &bytes) }
      (self.body, hasMore, isChunked) = (body, false, false)
    case .announced(let length):
      Self.append(length: length, to: &bytes)
      (body, hasMore, isChunked) = ([], true, false)
    case .chunked:
      bytes.append("\r\nTransfer-Encoding: chunked")
      (body, hasMore, isChunked) = ([], true, true)
    }
    if hasMore, request.waitsToSend { bytes.append("\r\nExpect: 100-continue") }
    bytes.append("\r\n\r\n")
    head = bytes
    isToHead = method == .head
    isRepeatable = [.get, .head, .options].contains(method) || request.has(.idempotencyKey)
  }

  private static func append(
    _ fields: Fields,
    leavingOut names: [FieldName],
    to bytes: inout [UInt8]
  ) {
    for index in fields.endToEnd(leavingOut: names) {
      bytes.append("\r\n")
      bytes.append(contentsOf: fields.name(at: index))
      bytes.append(": ")
      bytes.append(contentsOf: fields.value(at: index))
    }
  }

  private static func append(length: Int, to bytes: inout [UInt8]) {
    bytes.append("\r\nContent-Length: ")
    bytes.append(decimal: length)
  }

  /// Appends a piece of content in its framing.
  ///
  /// - Parameters:
  ///   - content: The piece, at least one byte.
  ///   - bytes: The bytes to send.
  package func append(_ content: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    guard isChunked else { return bytes.append(contentsOf: content) }
    bytes.append(contentsOf: String(content.count, radix: 16).utf8)
    bytes.append("\r\n")
    bytes.append(contentsOf: content)
    bytes.append("\r\n")
  }

  /// Appends the end of the content in its framing.
  ///
  /// - Parameter bytes: The bytes to send.
  package func appendEnd(to bytes: inout [UInt8]) {
    if isChunked { bytes.append("0\r\n\r\n") }
  }
}

extension Target {
  /// The path and the query as received, without scheme and authority.
  package var pathAndQuery: ArraySlice<UInt8> { raw[path.startIndex...] }
}

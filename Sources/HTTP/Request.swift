/// A complete request.
///
/// It is passed on many times, so all but the content is one object.
package struct Request: Sendable {
  /// The head of the request.
  let head: RequestHead
  /// The content without chunked framing; empty if there is none.
  package let body: [UInt8]
  /// The method.
  package let method: Method
  /// True if the client accepts neither unencoded content nor any available coding.
  package let isUnanswerable: Bool

  init(head: RequestHead, method: Method, body: consuming [UInt8], isUnanswerable: Bool) {
    self.head = head
    self.body = body
    self.method = method
    self.isUnanswerable = isUnanswerable
  }

  /// The header fields, in the order received.
  ///
  /// They do not include trailers (RFC 9110, 6.5.1).
  package var fields: Fields { head.fields }

  /// Returns true if there is a field with a name; see ``Fields/contains(_:)``.
  ///
  /// It avoids a copy of the fields.
  package func has(_ name: FieldName) -> Bool { head.fields.contains(name) }

  /// The result of routing; nil for a request that was not parsed from a connection.
  package var match: RouteMatch? { head.match }

  /// The path and the query.
  package var target: Target { head.target }

  /// The host and port that the request is for (RFC 9112, 3.2.2).
  ///
  /// They come from a target in absolute form, else from the `Host` field; empty if there is
  /// neither.
  package var host: ArraySlice<UInt8> { head.host }

  /// Returns a decoded path segment; see ``Target/segment(at:)``.
  ///
  /// It avoids a copy of the target.
  package func segment(at index: Int) -> ArraySlice<UInt8> { head.target.segment(at: index) }

  /// The number of query items; see ``Target/queryCount``.
  package var queryCount: Int { head.target.queryCount }

  /// Returns a query item; see ``Target/queryItem(at:)``.
  package func queryItem(at index: Int) -> Target.QueryItem { head.target.queryItem(at: index) }

  /// The address of the client; empty if it is unknown, or nobody asks for it.
  package var remote: String { head.remote }

  /// The minor version of HTTP/1.
  package var version: Version { head.version }

  /// True if the client waits for `100 Continue` before it sends the content (RFC 9110, 10.1.1).
  package var waitsToSend: Bool { head.expectation == .continue }

  /// The announced length of the content in bytes; nil if the content is chunked.
  package var announcedBytes: Int? {
    guard case .length(let length) = head.framing else { return nil }
    return length
  }

  /// True if there is one `Content-Type`, and it is exactly `application/json`.
  ///
  /// It is a fast check for the most frequent form.
  package var isPlainJSON: Bool { head.isPlainJSON }

  /// The content codings that the client accepts.
  package var codings: AcceptedCodings { head.codings }

  /// Returns the same request with other content.
  package func carrying(_ body: [UInt8]) -> Request {
    Request(head: head, method: method, body: body, isUnanswerable: isUnanswerable)
  }

  /// Creates a request without a connection, for calling a handler directly.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - target: The path and query as in a request line.
  ///   - fields: The header fields.
  ///   - body: The content.
  ///   - remote: The address of the client.
  /// - Throws: A ``RequestRejection`` if the target is malformed.
  package init(
    method: Method,
    target: String,
    fields: Fields = Fields(),
    body: [UInt8] = [],
    remote: String = ""
  ) throws(RequestRejection) {
    var bytes = Array(target.utf8)
    let layout = try TargetLayout(parsing: &bytes, in: 0..<bytes.count, method: method)
    let expectation = fields.value(.expect) ?? []
    let waits = equalIgnoringCase(expectation, "100-continue".utf8)
    let target = Target(bytes: bytes, layout: layout)
    let head = RequestHead(
      method: method,
      target: target,
      fields: fields,
      framing: .length(body.count),
      expectation: waits ? .continue : .none,
      host: target.authority ?? fields.value(.host) ?? [],
      remote: remote
    )
    self.init(head: head, method: method, body: body, isUnanswerable: false)
  }
}

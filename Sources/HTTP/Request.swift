/// A whole request: nothing of it is handled before all of it is there.
///
/// It is handed on many times; all but its content is one object.
public struct Request: Sendable {
  /// What was read before the content.
  @usableFromInline let head: RequestHead
  /// The content, with chunked framing taken off; empty if there is none.
  public let body: [UInt8]
  /// What is to be done.
  public let method: Method
  /// Whether its client takes content neither as it is nor coded in a way that there is.
  public let isUnanswerable: Bool

  init(head: RequestHead, method: Method, body: consuming [UInt8], isUnanswerable: Bool) {
    self.head = head
    self.body = body
    self.method = method
    self.isUnanswerable = isUnanswerable
  }

  /// The header fields, in the order received.
  ///
  /// Trailers are not among them (RFC 9110, 6.5.1).
  @inlinable public var fields: Fields { head.fields }

  /// Whether there is a field of a name; see ``Fields/contains(_:)``.
  ///
  /// Nothing is copied for that.
  @inlinable
  public func has(_ name: FieldName) -> Bool { head.fields.contains(name) }

  /// Where it goes to; nil for one that did not come over a wire, which nobody looked up.
  public var match: RouteMatch? { head.match }

  /// To what: the path and the query.
  public var target: Target { head.target }

  /// The host and port it is for: those of the target where that is a whole URI, else those of the
  /// `Host` field; empty where neither names any (RFC 9112, 3.2.2).
  public var host: ArraySlice<UInt8> { head.host }

  /// What ``Target`` tells of the path and the query, without a copy of it.
  public func segment(at index: Int) -> ArraySlice<UInt8> { head.target.segment(at: index) }

  /// See ``segment(at:)``.
  public var queryCount: Int { head.target.queryCount }

  /// See ``segment(at:)``.
  public func queryItem(at index: Int) -> Target.QueryItem { head.target.queryItem(at: index) }

  /// The minor version it was written in.
  public var version: Version { head.version }

  /// Whether the client waits for leave to send the content (RFC 9110, 10.1.1).
  public var waitsToSend: Bool { head.expectation == .continue }

  /// The length of its content as it was announced; nil where that shows only as it comes.
  public var announcedBytes: Int? {
    guard case .length(let length) = head.framing else { return nil }
    return length
  }

  /// Whether it came with one `Content-Type`, and that is `application/json`, in these letters and
  /// with nothing behind them: what nearly all say who send JSON.
  public var isPlainJSON: Bool { head.isPlainJSON }

  /// Which codings of content its client takes.
  public var codings: AcceptedCodings { head.codings }

  /// The same request with other content.
  public func carrying(_ body: [UInt8]) -> Request {
    Request(head: head, method: method, body: body, isUnanswerable: isUnanswerable)
  }

  /// A request that did not come over a wire, for trying a handler without a socket.
  ///
  /// - Parameters:
  ///   - method: What is to be done.
  ///   - target: The path and query as they would stand in the request line.
  ///   - fields: The header fields.
  ///   - body: The content.
  /// - Throws: A ``RequestRejection`` when the target is malformed.
  public init(
    method: Method,
    target: String,
    fields: Fields = Fields(),
    body: [UInt8] = []
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
      host: target.authority ?? fields.value(.host) ?? []
    )
    self.init(head: head, method: method, body: body, isUnanswerable: false)
  }
}

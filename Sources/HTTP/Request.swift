/// A whole request: nothing of it is handled before all of it is there.
///
/// An object, as it is handed on many times.
public final class Request: Sendable {
  /// What is to be done.
  public let method: Method
  /// To what: the path and the query.
  public let target: Target
  /// The minor version it was written in.
  public let version: Version
  /// The header fields, in the order received.
  ///
  /// Trailers are not among them (RFC 9110, 6.5.1).
  public let fields: Fields
  /// Whether the client waits for leave to send the content (RFC 9110, 10.1.1).
  public let waitsToSend: Bool
  /// Where it goes to; nil for one that did not come over a wire, which nobody looked up.
  public let match: RouteMatch?
  /// The content, with chunked framing taken off; empty if there is none.
  public let body: [UInt8]

  init(head: consuming RequestHead, method: Method, body: consuming [UInt8]) {
    self.method = method
    target = head.target
    version = head.version
    fields = head.fields
    waitsToSend = head.expectation == .continue
    match = head.match
    self.body = body
  }

  /// The same request with other content.
  public func carrying(_ body: [UInt8]) -> Request { Request(self, body: body) }

  private init(_ request: Request, body: [UInt8]) {
    method = request.method
    target = request.target
    version = request.version
    fields = request.fields
    waitsToSend = request.waitsToSend
    match = request.match
    self.body = body
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
    self.method = method
    self.target = Target(bytes: bytes, layout: layout)
    version = .http11
    self.fields = fields
    let expectation = fields.value(.expect) ?? []
    waitsToSend = equalIgnoringCase(expectation, "100-continue".utf8)
    match = nil
    self.body = body
  }
}

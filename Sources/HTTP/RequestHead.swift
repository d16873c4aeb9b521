/// A request line and header fields, and their meaning for the content and the connection.
///
/// A class, because it is passed on many times.
final class RequestHead: Sendable {
  /// The framing of the content (RFC 9112, 6.3).
  enum Framing: Equatable, Sendable {
    /// A known length in bytes; 0 for no content.
    case length(Int)
    /// Chunks; the length is not known before.
    case chunked
  }

  /// The expectation of the client before it sends the content (RFC 9110, 10.1.1).
  enum Expectation: Sendable {
    case none
    case `continue`
    case unknown
  }

  /// The method; nil if it is unknown to the server.
  let method: Method?
  let target: Target
  let version: Version
  let fields: Fields
  /// The result of routing; nil if it was not looked up.
  let match: RouteMatch?
  let framing: Framing
  let expectation: Expectation
  /// True if the connection stays open after the response (RFC 9112, 9.3).
  let keepsAlive: Bool
  /// The host of the target, else of the `Host` field.
  let host: ArraySlice<UInt8>
  /// True if the host is known to be allowed.
  let isHostKnown: Bool
  /// The content codings that the client accepts.
  let codings: AcceptedCodings
  /// True if there is one `Content-Type`, and it is exactly `application/json`.
  let isPlainJSON: Bool
  /// The id that the client gave the request, if it is valid.
  let requestID: RequestID?
  /// The trace that the request belongs to, if it has a valid `traceparent`.
  let trace: TraceContext?
  /// The address of the client; empty if it is unknown.
  let remote: String
  /// The offset behind the head in the bytes it was parsed from.
  let end: Int

  /// The memory of the head beyond that which counts for each connection, in bytes.
  var unusualBytes: Int { max(0, end + 32 * target.queryCount - 2_048) }

  init(
    method: Method?,
    target: Target,
    version: Version = .http11,
    fields: Fields,
    match: RouteMatch? = nil,
    framing: Framing,
    expectation: Expectation,
    keepsAlive: Bool = true,
    host: ArraySlice<UInt8> = [],
    isHostKnown: Bool = false,
    codings: AcceptedCodings = AcceptedCodings(),
    isPlainJSON: Bool = false,
    requestID: RequestID? = nil,
    trace: TraceContext? = nil,
    remote: String = "",
    end: Int = 0
  ) {
    self.method = method
    self.target = target
    self.version = version
    self.fields = fields
    self.match = match
    self.framing = framing
    self.expectation = expectation
    self.keepsAlive = keepsAlive
    self.host = host
    self.isHostKnown = isHostKnown
    self.codings = codings
    self.isPlainJSON = isPlainJSON
    self.requestID = requestID
    self.trace = trace
    self.remote = remote
    self.end = end
  }

  /// Returns the rule that refuses the well-formed request, if any.
  ///
  /// The connection can continue after such a refusal.
  ///
  /// - Parameter hosts: The hosts that it may name.
  /// - Returns: The rule; nil if it breaks none.
  func refusal(by hosts: HostRule) -> RequestRejection? {
    if target.isSecure || !(isHostKnown || hosts.allows(host) || hosts.exempts(fields)) {
      return .misdirected
    }
    if method == nil { return .unknownMethod }
    return expectation == .unknown ? .unknownExpectation : nil
  }

  /// Returns the problem for a refusal of this request.
  func problem(of rejection: RequestRejection) -> Problem {
    guard rejection == .misdirected, !target.isSecure else { return rejection.problem }
    return RequestRejection.misdirected(to: host)
  }
}

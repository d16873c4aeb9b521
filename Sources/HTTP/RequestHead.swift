/// A request's line and header fields, and what they say about its content and the connection.
///
/// An object, as it is handed on many times.
@usableFromInline final class RequestHead: Sendable {
  /// How the content is delimited (RFC 9112, 6.3).
  enum Framing: Equatable, Sendable {
    /// By its length; none is 0.
    case length(Int)
    /// By chunks, its length not known before.
    case chunked
  }

  /// What the client waits for before it sends the content (RFC 9110, 10.1.1).
  enum Expectation: Sendable {
    case none
    case `continue`
    case unknown
  }

  /// Nil if the method is a token this server does not know.
  let method: Method?
  let target: Target
  let version: Version
  @usableFromInline let fields: Fields
  /// Where it goes to; nil where nobody looked that up.
  let match: RouteMatch?
  let framing: Framing
  let expectation: Expectation
  /// Whether the client wants the connection to go on (RFC 9112, 9.3).
  let keepsAlive: Bool
  /// The host meant: the target's if it has one, else that of the `Host` field.
  let host: ArraySlice<UInt8>
  /// Whether it is known to be one that a request may name.
  let isHostKnown: Bool
  /// Which codings of content the client takes.
  let codings: AcceptedCodings
  /// Whether its content is said to be JSON, in the way in which it mostly is.
  let isPlainJSON: Bool
  /// How the client names the request, if it does so in a form that can be taken.
  let requestID: RequestID?
  /// The trace it belongs to, if it says so.
  let trace: TraceContext?
  /// The offset after the head in the bytes it was parsed from.
  let end: Int

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
    self.end = end
  }

  /// What it is refused for, if for anything, although it is well-formed.
  ///
  /// The connection can go on after it.
  ///
  /// - Parameter hosts: Which hosts it may name.
  /// - Returns: The rule it breaks; nil if it breaks none.
  func refusal(by hosts: HostRule) -> RequestRejection? {
    if target.isSecure || !(isHostKnown || hosts.allows(host)) { return .misdirected }
    if method == nil { return .unknownMethod }
    return expectation == .unknown ? .unknownExpectation : nil
  }

  /// Returns the answer to the request, which a rule refuses.
  func problem(of rejection: RequestRejection) -> Problem {
    guard rejection == .misdirected, !target.isSecure else { return rejection.problem }
    return RequestRejection.misdirected(to: host)
  }
}

/// The codes of the errors that belong to HTTP itself rather than to what is served with it.
public enum ProblemCode: String, CaseIterable, Sendable {
  /// The request is malformed.
  case invalidRequest = "invalid-request"
  /// There are no credentials, or they are nobody's.
  case unauthenticated
  /// The credentials do not allow this, or it was a foreign web page that asked.
  case forbidden
  /// No route has this path.
  case routeNotFound = "route-not-found"
  /// The path is served, but not with this method.
  case methodNotAllowed = "method-not-allowed"
  /// None of the media types asked for is offered.
  case notAcceptable = "not-acceptable"
  /// The request did not arrive in time.
  case requestTimeout = "request-timeout"
  /// The content is over the limit.
  case contentTooLarge = "content-too-large"
  /// The request line is over the limit.
  case uriTooLong = "uri-too-long"
  /// The content is of a kind that is not read here.
  case unsupportedMediaType = "unsupported-media-type"
  /// The request expects what this server does not do.
  case expectationFailed = "expectation-failed"
  /// The request names another server.
  case misdirectedRequest = "misdirected-request"
  /// Somebody has more connections than one may have.
  case tooManyRequests = "too-many-requests"
  /// The header fields are over a limit.
  case headerFieldsTooLarge = "header-fields-too-large"
  /// The server lacks what the request needs.
  case notImplemented = "not-implemented"
  /// More is asked at once than the server can do.
  case overloaded = "overloaded"
  /// The major version of HTTP is not served.
  case versionNotSupported = "http-version-not-supported"

  /// The status an error of this code is answered with.
  public var status: Status {
    switch self {
    case .invalidRequest: .badRequest
    case .unauthenticated: .unauthorized
    case .forbidden: .forbidden
    case .routeNotFound: .notFound
    case .methodNotAllowed: .methodNotAllowed
    case .notAcceptable: .notAcceptable
    case .requestTimeout: .requestTimeout
    case .contentTooLarge: .contentTooLarge
    case .uriTooLong: .uriTooLong
    case .unsupportedMediaType: .unsupportedMediaType
    case .expectationFailed: .expectationFailed
    case .misdirectedRequest: .misdirectedRequest
    case .tooManyRequests: .tooManyRequests
    case .headerFieldsTooLarge: .headerFieldsTooLarge
    case .notImplemented: .notImplemented
    case .overloaded: .serviceUnavailable
    case .versionNotSupported: .versionNotSupported
    }
  }

  /// The error in a few words: its code, read aloud.
  ///
  /// It is the same at every occurrence (RFC 9457, 3.1.3).
  public var title: String {
    switch self {
    case .uriTooLong: return "URI too long"
    case .versionNotSupported: return "HTTP version not supported"
    default:
      let words = rawValue.split(separator: "-").joined(separator: " ")
      return words.prefix(1).uppercased() + words.dropFirst()
    }
  }
}

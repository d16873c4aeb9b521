/// The codes of errors that belong to HTTP itself and not to the service.
package enum ProblemCode: String, CaseIterable, Sendable {
  /// The request is malformed.
  case invalidRequest = "invalid-request"
  /// The credentials are missing or unknown.
  case unauthenticated
  /// The credentials do not allow the request, or a web page of another origin sent it.
  case forbidden
  /// No route has this path.
  case routeNotFound = "route-not-found"
  /// The path has a route, but not for this method.
  case methodNotAllowed = "method-not-allowed"
  /// None of the accepted media types is available.
  case notAcceptable = "not-acceptable"
  /// The request did not arrive in time.
  case requestTimeout = "request-timeout"
  /// The content is larger than the limit.
  case contentTooLarge = "content-too-large"
  /// The request line is longer than the limit.
  case uriTooLong = "uri-too-long"
  /// The media type or coding of the content is not supported.
  case unsupportedMediaType = "unsupported-media-type"
  /// The request has an expectation that the server does not support.
  case expectationFailed = "expectation-failed"
  /// The request is for another server.
  case misdirectedRequest = "misdirected-request"
  /// The client has too many connections, or too many refused credentials.
  case tooManyRequests = "too-many-requests"
  /// The header fields exceed a limit.
  case headerFieldsTooLarge = "header-fields-too-large"
  /// The server does not support what the request needs.
  case notImplemented = "not-implemented"
  /// The server was lost that had the request, so that it may have been carried out or not.
  case outcomeUnknown = "outcome-unknown"
  /// The server cannot accept more work now.
  case overloaded = "overloaded"
  /// The major version of HTTP is not supported.
  case versionNotSupported = "http-version-not-supported"

  /// The status of an error with this code.
  package var status: Status {
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
    case .outcomeUnknown: .badGateway
    case .overloaded: .serviceUnavailable
    case .versionNotSupported: .versionNotSupported
    }
  }

  /// The error in a few words, derived from the code.
  ///
  /// It is the same at every occurrence (RFC 9457, 3.1.3).
  package var title: String {
    switch self {
    case .uriTooLong: return "URI too long"
    case .versionNotSupported: return "HTTP version not supported"
    default:
      let words = rawValue.split(separator: "-").joined(separator: " ")
      return words.prefix(1).uppercased() + words.dropFirst()
    }
  }
}

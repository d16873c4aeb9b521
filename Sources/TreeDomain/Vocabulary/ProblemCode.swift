/// What went wrong, by the names of the contract.
///
/// The list is the whole vocabulary of the service, so that one place holds it; the last group can
/// only be met by a transport.
public enum ProblemCode: String, CaseIterable, Sendable {
  /// The body is not JSON, or nested too deep.
  case malformedJSON = "malformed-json"
  /// Unknown or missing members, wrong types, a bad query.
  case invalidRequest = "invalid-request"
  /// An `op` that is none.
  case unknownOperation = "unknown-operation"
  /// No session of this id lives.
  case sessionNotFound = "session-not-found"
  /// The tree has no node with this key.
  case nodeNotFound = "node-not-found"
  /// The node is there, but it has no row.
  case nodeNotVisible = "node-not-visible"
  /// A key that exists, or comes twice.
  case duplicateKey = "duplicate-key"
  /// The session is no longer at the revision the client named.
  case revisionChanged = "revision-changed"
  /// A position beyond the end.
  case rangeNotSatisfiable = "range-not-satisfiable"
  /// A move of a node below itself.
  case cycle
  /// The named parent does not exist.
  case parentNotFound = "parent-not-found"
  /// The node named by `before` or `after` has another parent.
  case anchorNotASibling = "anchor-not-a-sibling"
  /// An `index` beyond the number of siblings.
  case indexOutOfRange = "index-out-of-range"
  /// A node would stand deeper than the tree may be.
  case depthLimit = "depth-limit"
  /// Something has more bytes or entries than its limit.
  case contentTooLarge = "content-too-large"
  /// There is no room for more.
  case overloaded
  /// The service is stopping.
  case shuttingDown = "shutting-down"
  /// A fault of the service itself.
  case internalError = "internal-error"

  /// No such path.
  case routeNotFound = "route-not-found"
  /// The path is there, the method is not.
  case methodNotAllowed = "method-not-allowed"
  /// No media type left that the answer could have.
  case notAcceptable = "not-acceptable"
  /// The request did not arrive in time.
  case requestTimeout = "request-timeout"
  /// A body without a length.
  case lengthRequired = "length-required"
  /// The request's target is too long.
  case uriTooLong = "uri-too-long"
  /// A body of a media type that is not understood here.
  case unsupportedMediaType = "unsupported-media-type"
  /// An expectation that cannot be met.
  case expectationFailed = "expectation-failed"
  /// A request meant for another server.
  case misdirectedRequest = "misdirected-request"
  /// Too many or too long header fields.
  case headerFieldsTooLarge = "header-fields-too-large"
  /// A method or a coding nobody here knows.
  case notImplemented = "not-implemented"
  /// Another major version of HTTP.
  case httpVersionNotSupported = "http-version-not-supported"
}

/// A status code with its reason phrase (RFC 9110, 15).
package struct Status: Hashable, Sendable {
  /// The code, in 100...599.
  package let code: Int

  /// Creates a status.
  ///
  /// The code must be in 100...599.
  package init(_ code: Int) {
    precondition((100...599).contains(code), "a status code has three digits")
    self.code = code
  }

  /// 200 OK.
  package static let ok = Status(200)
  /// 201 Created.
  package static let created = Status(201)
  /// 202 Accepted.
  package static let accepted = Status(202)
  /// 204 No Content.
  package static let noContent = Status(204)
  /// 302 Found.
  package static let found = Status(302)
  /// 304 Not Modified.
  package static let notModified = Status(304)
  /// 400 Bad Request.
  package static let badRequest = Status(400)
  /// 401 Unauthorized.
  package static let unauthorized = Status(401)
  /// 403 Forbidden.
  package static let forbidden = Status(403)
  /// 404 Not Found.
  package static let notFound = Status(404)
  /// 405 Method Not Allowed.
  package static let methodNotAllowed = Status(405)
  /// 406 Not Acceptable.
  package static let notAcceptable = Status(406)
  /// 408 Request Timeout.
  package static let requestTimeout = Status(408)
  /// 409 Conflict.
  package static let conflict = Status(409)
  /// 410 Gone.
  package static let gone = Status(410)
  /// 412 Precondition Failed.
  package static let preconditionFailed = Status(412)
  /// 413 Content Too Large.
  package static let contentTooLarge = Status(413)
  /// 414 URI Too Long.
  package static let uriTooLong = Status(414)
  /// 415 Unsupported Media Type.
  package static let unsupportedMediaType = Status(415)
  /// 416 Range Not Satisfiable.
  package static let rangeNotSatisfiable = Status(416)
  /// 417 Expectation Failed.
  package static let expectationFailed = Status(417)
  /// 421 Misdirected Request.
  package static let misdirectedRequest = Status(421)
  /// 422 Unprocessable Content.
  package static let unprocessableContent = Status(422)
  /// 429 Too Many Requests (RFC 6585, 4).
  package static let tooManyRequests = Status(429)
  /// 431 Request Header Fields Too Large (RFC 6585, 5).
  package static let headerFieldsTooLarge = Status(431)
  /// 500 Internal Server Error.
  package static let internalServerError = Status(500)
  /// 501 Not Implemented.
  package static let notImplemented = Status(501)
  /// 502 Bad Gateway.
  package static let badGateway = Status(502)
  /// 503 Service Unavailable.
  package static let serviceUnavailable = Status(503)
  /// 505 HTTP Version Not Supported.
  package static let versionNotSupported = Status(505)
  /// 507 Insufficient Storage (RFC 4918, 11.5).
  package static let insufficientStorage = Status(507)

  /// The reason phrase; empty for a code without a standard one.
  package var reason: String { Self.reasons[code] ?? "" }

  /// All statuses that have a reason phrase, by code.
  package static let known = reasons.keys.sorted().map(Status.init)

  /// True if a response with this status never has content: 1xx, 204 and 304 (RFC 9112, 6.3).
  var excludesContent: Bool { code < 200 || code == 204 || code == 304 }

  private static let reasons: [Int: String] = [
    100: "Continue", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content",
    302: "Found", 304: "Not Modified", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
    404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout",
    409: "Conflict", 410: "Gone", 412: "Precondition Failed", 413: "Content Too Large",
    414: "URI Too Long", 415: "Unsupported Media Type",
    416: "Range Not Satisfiable", 417: "Expectation Failed", 421: "Misdirected Request",
    422: "Unprocessable Content", 429: "Too Many Requests",
    431: "Request Header Fields Too Large", 500: "Internal Server Error",
    501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
    505: "HTTP Version Not Supported", 507: "Insufficient Storage",
  ]
}

import HTTP

/// The CORS preflight that a browser sends before a cross-origin request (WHATWG Fetch, 4.8).
enum Preflight {
  /// The request fields that pages may send, in addition to the safelisted ones.
  static let requestFields: [FieldName] = [
    .authorization, .contentType, .idempotencyKey, .ifMatch, .ifNoneMatch, .lastEventID, .prefer,
    FieldName("X-Request-Id"), FieldName("Traceparent"), FieldName("Tracestate"),
  ]

  /// The response fields that pages may read, in addition to the safelisted ones.
  static let answerFields: [FieldName] = [
    .eTag, .location, .allow, .retryAfter, .wwwAuthenticate, .idempotencyReplayed,
    .preferenceApplied,
    FieldName("X-Request-Id"),
  ]

  /// Returns true if a request is a preflight.
  static func isMade(by request: Request) -> Bool {
    request.method == .options && request.fields.contains(.origin)
      && request.fields.contains(requestedMethod)
  }

  /// Returns the fields of the response to a preflight from a listed origin.
  ///
  /// `Access-Control-Allow-Origin` is not among them, because it is on every response.
  static func fields(allowed: [Method]) -> [(name: FieldName, value: String)] {
    [
      (allowedMethods, allowed.map(\.rawValue).joined(separator: ", ")),
      (
        allowedFields,
        requestFields.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: ", ")
      ),
      (maxAge, "7200"),
    ]
  }

  private static let requestedMethod = FieldName("Access-Control-Request-Method")
  private static let allowedMethods = FieldName("Access-Control-Allow-Methods")
  private static let allowedFields = FieldName("Access-Control-Allow-Headers")
  private static let maxAge = FieldName("Access-Control-Max-Age")
}

import HTTP

/// What a browser asks before it sends a page's request to another origin (WHATWG Fetch, 4.8).
enum Preflight {
  /// The fields of requests that pages may send, beside those that any page may.
  static let requestFields: [FieldName] = [
    .authorization, .contentType, .idempotencyKey, .ifMatch, .ifNoneMatch, .lastEventID, .prefer,
    FieldName("X-Request-Id"), FieldName("Traceparent"), FieldName("Tracestate"),
  ]

  /// The fields of answers that pages may read, beside those that any page may.
  static let answerFields: [FieldName] = [
    .eTag, .location, .allow, .retryAfter, .wwwAuthenticate, .idempotencyReplayed,
    .preferenceApplied,
    FieldName("X-Request-Id"),
  ]

  /// Whether a request is one.
  static func isMade(by request: Request) -> Bool {
    request.method == .options && request.fields.contains(.origin)
      && request.fields.contains(requestedMethod)
  }

  /// The fields that answer it, where the origin is a listed one; the origin itself is on every
  /// answer.
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

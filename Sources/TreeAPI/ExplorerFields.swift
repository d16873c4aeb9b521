import HTTP

/// The fields of the explorer's answers that tell browsers what its page may do.
enum ExplorerFields {
  /// The page runs its own scripts and styles, asks this service only, and stands in no frame.
  static let all = [
    (FieldName("Content-Security-Policy"), policy.joined(separator: "; ")),
    (FieldName("Referrer-Policy"), "no-referrer"),
    (FieldName("Cross-Origin-Opener-Policy"), "same-origin"),
  ]

  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
    "img-src 'self' data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  ]
}

import HTTP

/// The header fields of the explorer's responses that restrict its page.
enum ExplorerFields {
  /// Fields that allow the page its own scripts and styles, connections to this service only, and
  /// no frames.
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

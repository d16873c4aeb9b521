/// The minor version of HTTP/1 a request was written in (RFC 9112, 2.3).
public enum Version: Sendable {
  /// HTTP/1.0: one request a connection unless asked otherwise.
  case http10
  /// HTTP/1.1, and what a later minor version is served as (RFC 9110, 6.2).
  case http11
}

/// A rule that a response breaks.
package enum ResponseFault: Error, Equatable, Sendable {
  /// The status line is not `HTTP/1.` digit SP three digits SP reason (RFC 9112, 4).
  case malformedStatusLine
  /// The major version is not 1, or the status is 101, which nobody asked for.
  case unexpectedProtocol
  /// More interim responses than allowed come before the final one (RFC 9110, 15.2).
  case tooManyInterim(limit: Int)
  /// A rule about fields, framing or chunks, which requests and responses share.
  case framing(RequestRejection)
  /// The connection ended before the response did (RFC 9112, 8).
  case truncated
}

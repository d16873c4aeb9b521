/// A rule that refuses a request before it reaches the handler.
package enum RequestRejection: Error, Equatable, Sendable {
  /// The request line is not `method SP target SP version` (RFC 9112, 3).
  case malformedRequestLine
  /// The request line is longer than allowed (RFC 9112, 3; RFC 9110, 15.5.15).
  case requestLineTooLong(limit: Int)
  /// The query has more parameters than allowed (RFC 9110, 15.5.15).
  case tooManyParameters(limit: Int)
  /// A line of the message ends with LF alone, which readers disagree about (RFC 9112, 2.2).
  case bareLineFeed
  /// CR without LF after it (RFC 9112, 2.2).
  case bareCarriageReturn
  /// NUL or another control character in the head (RFC 9110, 5.5).
  case controlCharacter
  /// The version is not `HTTP/` digit `.` digit (RFC 9112, 2.3).
  case malformedVersion
  /// The major version is not 1 (RFC 9110, 15.6.6).
  case unsupportedVersion
  /// The target has no allowed form, or a character that is not allowed in it (RFC 9112, 3.2).
  case malformedTarget
  /// `%` not followed by two hexadecimal digits, or `%00` (RFC 3986, 2.1).
  case malformedPercentEncoding
  /// The decoded target is not UTF-8 (RFC 3986, 2.5; RFC 3629, 3).
  case targetNotUTF8
  /// The method is unknown to the server (RFC 9110, 9.1).
  case unknownMethod
  /// CONNECT, which is for proxies (RFC 9110, 9.3.6).
  case tunnelRefused
  /// A field line without a colon or with an empty or malformed name (RFC 9112, 5; RFC 9110, 5.1).
  case malformedFieldLine
  /// White space between a field's name and the colon (RFC 9112, 5.1).
  case whitespaceBeforeColon
  /// A field line that begins with white space: folded, or the first (RFC 9112, 5.2 and 2.2).
  case foldedField
  /// The header section is larger than allowed (RFC 6585, 5).
  case headerTooLarge(limit: Int)
  /// More fields than allowed (RFC 6585, 5).
  case tooManyFields(limit: Int)
  /// HTTP/1.1 without `Host` (RFC 9112, 3.2).
  case missingHost
  /// More than one `Host` (RFC 9112, 3.2).
  case repeatedHost
  /// `Host` is not a host with an optional port (RFC 9110, 7.2).
  case malformedHost
  /// `Host` is not allowed, or the target is `https` on a connection without encryption (RFC 9110,
  /// 7.4 and 15.5.20).
  case misdirected
  /// `Content-Length` is not decimal digits, or exceeds 63 bits (RFC 9110, 8.6; RFC 9112, 6.3).
  case malformedContentLength
  /// More than one `Content-Length` (RFC 9112, 6.3).
  case repeatedContentLength
  /// `Content-Length` together with `Transfer-Encoding` (RFC 9112, 6.1).
  case conflictingFraming
  /// `Transfer-Encoding` in HTTP/1.0, which does not define it (RFC 9112, 6.1).
  case transferEncodingInHTTP10
  /// `Transfer-Encoding` malformed, repeated, or not ending in `chunked` (RFC 9112, 6.1 and 6.3).
  case malformedTransferEncoding
  /// A transfer coding other than `chunked` (RFC 9112, 6.1).
  case unknownTransferCoding
  /// The content is larger than allowed (RFC 9110, 15.5.14).
  case contentTooLarge(limit: Int)
  /// A chunk's size is not hexadecimal digits, or has too many of them (RFC 9112, 7.1).
  case malformedChunkSize
  /// A chunk extension has no name, or is malformed otherwise (RFC 9112, 7.1.1).
  case malformedChunkExtension
  /// A chunk is not followed by CRLF (RFC 9112, 7.1).
  case malformedChunk
  /// Chunk extensions and trailers are together larger than allowed (RFC 9112, 7.1.1 and 7.1.2).
  case chunkOverheadTooLarge(limit: Int)
  /// An expectation other than `100-continue` (RFC 9110, 10.1.1).
  case unknownExpectation
  /// The head did not arrive in time (RFC 9110, 15.5.9).
  case headTimeout
  /// The content did not arrive in time, or too slowly (RFC 9110, 15.5.9).
  case bodyTimeout
}

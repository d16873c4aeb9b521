/// The minor version of HTTP/1 of a request (RFC 9112, 2.3).
package enum Version: Sendable {
  /// HTTP/1.0: the connection closes after the response unless the client asks otherwise.
  case http10
  /// HTTP/1.1, also for later minor versions (RFC 9110, 6.2).
  case http11
}

extension Version {
  private static let start = Array("HTTP/".utf8)

  /// Parses `HTTP/` digit `.` digit.
  ///
  /// - Parameter bytes: The bytes behind the target.
  /// - Throws: `unsupportedVersion` for another major version, `malformedVersion` for other bytes.
  init(parsing bytes: Span<UInt8>) throws(RequestRejection) {
    guard bytes.count == 8, bytes[5].isDigit, bytes[6] == UInt8(ascii: "."), bytes[7].isDigit else {
      throw .malformedVersion
    }
    for place in Self.start.indices where bytes[place] != Self.start[place] {
      throw .malformedVersion
    }
    guard bytes[5] == UInt8(ascii: "1") else { throw .unsupportedVersion }
    self = bytes[7] == UInt8(ascii: "0") ? .http10 : .http11
  }
}

import HTTP

extension Fields {
  /// The bearer token (RFC 6750, 2.1); nil if the field is missing or not `Bearer` and one token.
  ///
  /// Tokens in a query are not accepted, because they would appear in logs (RFC 6750, 5.3).
  var bearerToken: ArraySlice<UInt8>? {
    guard let credentials = value(.authorization),
      let space = credentials.firstIndex(of: UInt8(ascii: " ")),
      credentials[..<space].equals(ignoringCase: "bearer")
    else { return nil }
    let token = credentials[space...].drop { $0 == UInt8(ascii: " ") }
    return token.isToken68 ? token : nil
  }
}

extension ArraySlice<UInt8> {
  /// True if the bytes are a `token68`, the form of credentials (RFC 9110, 11.2; RFC 6750, 2.1).
  var isToken68: Bool {
    let end = lastIndex { $0 != UInt8(ascii: "=") }
    guard let end else { return false }
    return self[...end].allSatisfy { $0.isASCIIAlphanumeric || "-._~+/".utf8.contains($0) }
  }
}

extension UInt8 {
  /// True if the byte is `ALPHA` or `DIGIT`.
  var isASCIIAlphanumeric: Bool {
    (self | 0x20) &- UInt8(ascii: "a") < 26 || self &- UInt8(ascii: "0") < 10
  }
}

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

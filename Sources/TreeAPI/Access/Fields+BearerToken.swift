import HTTP

extension Fields {
  /// The token that the request shows (RFC 6750, 2.1): nil if there is none, or if the field is not
  /// written as `Bearer` and one token.
  ///
  /// A token is taken from nowhere else: one in a query would stand in logs (RFC 6750, 5.3).
  var bearerToken: ArraySlice<UInt8>? {
    guard let credentials = value(.authorization),
      let space = credentials.firstIndex(of: UInt8(ascii: " ")),
      credentials[..<space].equals(ignoringCase: "bearer")
    else { return nil }
    let token = credentials[space...].drop { $0 == UInt8(ascii: " ") }
    return token.isToken68 ? token : nil
  }
}

/// The rules for keys of nodes.
enum KeyRules {
  /// Checks a key from outside of a body.
  ///
  /// Strings in a body are checked when they are read.
  static func check(_ key: [UInt8], _ limits: DecodingLimits) throws(ServiceError) {
    let isText = String(validating: key, as: UTF8.self) != nil
    guard isText, 1...limits.maxKeyBytes ~= key.count else {
      throw ServiceError(.invalidRequest, advice(limits))
    }
  }

  static func advice(_ limits: DecodingLimits) -> String {
    "A key must have 1 to \(limits.maxKeyBytes) bytes of UTF-8."
  }

  /// Returns true if clients, browsers and proxies do not change a path that ends in this key.
  ///
  /// They remove the segments `.` and `..`, percent-encoded or not (RFC 3986, section 5.2.4), so
  /// that a request would reach another resource. `%00` is refused in a path.
  static func isSafe(_ key: some Collection<UInt8>) -> Bool {
    let dot = UInt8(ascii: ".")
    return !key.contains(0) && !(1...2 ~= key.count && key.allSatisfy { $0 == dot })
  }

  /// The advice about a new key that is not safe.
  static let safetyAdvice = """
    A key must not be . or .. and must not contain U+0000, because clients and proxies rewrite \
    paths with them; choose another key.
    """
}

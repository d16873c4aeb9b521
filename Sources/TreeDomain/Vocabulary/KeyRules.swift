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

  /// Returns true if no client, browser or proxy changes a path with this key so that it leaves the
  /// nodes.
  ///
  /// They remove the segments `.` and `..`, percent-encoded or not (RFC 3986, section 5.2.4). Some
  /// proxies decode `%2F` first, and browsers take a backslash for a slash. So no part of the key
  /// between two of these may be such a segment. `%00` is refused in a path.
  static func isSafe(_ key: some Sequence<UInt8>) -> Bool {
    // The number of bytes of the current segment, if all of them are dots; otherwise nil.
    var dots: Int? = 0
    for byte in key {
      switch byte {
      case 0: return false
      case UInt8(ascii: "/"), UInt8(ascii: "\\"):
        if dots == 1 || dots == 2 { return false }
        dots = 0
      case UInt8(ascii: "."): dots = dots.map { $0 + 1 }
      default: dots = nil
      }
    }
    return dots != 1 && dots != 2
  }

  /// The advice about a new key that is not safe.
  static let safetyAdvice = """
    A key must not be . or .., or contain one between slashes, and must not contain U+0000, \
    because clients and proxies rewrite paths with them; choose another key.
    """
}

/// The rules for names of sections.
enum SectionRules {
  /// The largest size of a name in bytes.
  static let maxNameBytes = 512

  static let advice =
    "A section's name must have 1 to \(maxNameBytes) bytes of UTF-8, none of them 0."

  /// Checks the name of an existing section from outside of a body.
  static func check(_ name: [UInt8]) throws(ServiceError) {
    let isText = String(validating: name, as: UTF8.self) != nil
    guard isText, name.count <= maxNameBytes else { throw ServiceError(.invalidRequest, advice) }
  }
}

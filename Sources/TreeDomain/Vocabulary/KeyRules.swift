/// What a node's key may be.
enum KeyRules {
  /// Checks a key that did not come in a body, whose strings are checked as they are read.
  static func check(_ key: [UInt8], _ limits: DecodingLimits) throws(ServiceError) {
    let isText = String(validating: key, as: UTF8.self) != nil
    guard isText, 1...limits.maxKeyBytes ~= key.count else {
      throw ServiceError(.invalidRequest, advice(limits))
    }
  }

  static func advice(_ limits: DecodingLimits) -> String {
    "A key must have 1 to \(limits.maxKeyBytes) bytes of UTF-8."
  }
}

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

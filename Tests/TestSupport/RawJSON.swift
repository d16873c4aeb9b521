/// A JSON value that keeps its original bytes.
///
/// Tests compare an `object` by its bytes and a number by its digits, so nothing is converted.
package struct RawJSON: Sendable {
  /// The kind of a value, with the values it contains.
  package enum Kind: Sendable {
    case null
    case bool(Bool)
    /// A number; its text is the value's bytes.
    case number
    /// The UTF-8 of a string with its escapes decoded.
    case string([UInt8])
    case array([RawJSON])
    /// The members in their order, duplicates included.
    case object([Member])
  }

  /// A member of an object.
  package struct Member: Sendable {
    /// The UTF-8 of the name with its escapes decoded.
    package let name: [UInt8]
    /// The value of the member.
    package let value: RawJSON
  }

  /// The kind of the value.
  package let kind: Kind
  /// The original text, without white space around it.
  package let bytes: [UInt8]

  /// Creates a value with its text. The two must agree.
  package init(kind: Kind, bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }

  /// The value `null`.
  package static let null = RawJSON(kind: .null, bytes: Array("null".utf8))

  /// The value of the member with a name; the last one if there are several.
  package subscript(_ name: String) -> RawJSON? {
    self[Array(name.utf8)]
  }

  /// The value of the member with a name; the last one if there are several.
  package subscript(_ name: [UInt8]) -> RawJSON? {
    guard case .object(let members) = kind else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// The member names of an object, in order; empty for other values.
  package var memberNames: [String] {
    guard case .object(let members) = kind else { return [] }
    return members.map { String(decoding: $0.name, as: UTF8.self) }
  }

  /// The elements of an array; nil for other values.
  package var elements: [RawJSON]? {
    if case .array(let elements) = kind { elements } else { nil }
  }

  /// The number, if it is an integer in digits only.
  package var integer: Int? {
    guard case .number = kind else { return nil }
    return Int(String(decoding: bytes, as: UTF8.self))
  }

  /// The Boolean value; nil for other values.
  package var bool: Bool? {
    if case .bool(let value) = kind { value } else { nil }
  }

  /// The string; nil for other values.
  package var string: String? {
    key?.description
  }

  /// The string as a key; nil for other values.
  package var key: ModelKey? {
    if case .string(let bytes) = kind { ModelKey(bytes: bytes) } else { nil }
  }

  /// True for `null`.
  package var isNull: Bool {
    if case .null = kind { true } else { false }
  }

  /// The original text.
  package var text: String {
    String(decoding: bytes, as: UTF8.self)
  }
}

extension RawJSON {
  /// The text without insignificant white space, which is equal for values that differ only in
  /// layout.
  package var compactBytes: [UInt8] {
    switch kind {
    case .null, .bool, .number: bytes
    case .string(let text): JSONText.string(text)
    case .array(let elements): JSONText.array(elements.map(\.compactBytes))
    case .object(let members):
      JSONText.object(members.map { (JSONText.string($0.name), $0.value.compactBytes) })
    }
  }
}

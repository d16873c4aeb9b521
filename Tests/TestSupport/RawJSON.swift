/// A JSON value that remembers the bytes it came in.
///
/// Tests compare an `object` by its bytes and a number by its digits, so nothing is converted:
/// a number has no value here but its text.
package struct RawJSON: Sendable {
  /// What the value is, with the values inside it.
  package enum Kind: Sendable {
    case null
    case bool(Bool)
    /// A number; its text is the value's bytes.
    case number
    /// A string's UTF-8 after its escapes were resolved.
    case string([UInt8])
    case array([RawJSON])
    /// Members in the order they came, duplicates included.
    case object([Member])
  }

  /// One member of an object.
  package struct Member: Sendable {
    /// The name's UTF-8 after its escapes were resolved.
    package let name: [UInt8]
    /// The member's value.
    package let value: RawJSON
  }

  /// What the value is.
  package let kind: Kind
  /// The value's text as it came, without white space around it.
  package let bytes: [UInt8]

  /// A value with its text; the two must agree.
  package init(kind: Kind, bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }

  /// The value `null`.
  package static let null = RawJSON(kind: .null, bytes: Array("null".utf8))

  /// The member of that name; the last one when there are several.
  package subscript(_ name: String) -> RawJSON? {
    self[Array(name.utf8)]
  }

  /// The member of that name; the last one when there are several.
  package subscript(_ name: [UInt8]) -> RawJSON? {
    guard case .object(let members) = kind else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// The names of an object's members, in order; empty for anything else.
  package var memberNames: [String] {
    guard case .object(let members) = kind else { return [] }
    return members.map { String(decoding: $0.name, as: UTF8.self) }
  }

  /// The elements of an array.
  package var elements: [RawJSON]? {
    if case .array(let elements) = kind { elements } else { nil }
  }

  /// The number, when it is an integer written with digits alone.
  package var integer: Int? {
    guard case .number = kind else { return nil }
    return Int(String(decoding: bytes, as: UTF8.self))
  }

  /// The truth value.
  package var bool: Bool? {
    if case .bool(let value) = kind { value } else { nil }
  }

  /// The string.
  package var string: String? {
    key?.description
  }

  /// The string as a key.
  package var key: ModelKey? {
    if case .string(let bytes) = kind { ModelKey(bytes: bytes) } else { nil }
  }

  /// Whether this is `null`.
  package var isNull: Bool {
    if case .null = kind { true } else { false }
  }

  /// The text.
  package var text: String {
    String(decoding: bytes, as: UTF8.self)
  }
}

extension RawJSON {
  /// The text without insignificant white space: equal for values that differ in layout alone.
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

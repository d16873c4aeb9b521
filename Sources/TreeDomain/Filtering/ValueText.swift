import JSON

/// A JSON value, as far as strings and numbers matter.
enum ValueText {
  /// The text of a string, without escapes.
  case string(ArraySlice<UInt8>)
  /// The raw text of a number.
  case number(ArraySlice<UInt8>)
  case other

  /// Reads a valid value and ignores white space around it.
  ///
  /// - Complexity: O(length of the value). A string without escapes is not copied.
  init(_ value: ArraySlice<UInt8>) {
    guard let first = value.firstIndex(where: { $0 > 0x20 }),
      let last = value.lastIndex(where: { $0 > 0x20 })
    else { preconditionFailure("a value has at least one byte") }
    switch JSONKind(firstByte: value[first]) {
    case .string: self = .string(ValueText.decoded(value[(first + 1)..<last]))
    case .number: self = .number(value[first...last])
    default: self = .other
    }
  }

  /// Returns the text of a string, given its raw content between the quotes.
  static func decoded(_ inside: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard inside.contains(UInt8(ascii: "\\")) else { return inside }
    let copy = Array(inside)
    return JSONString(range: copy.indices, hasEscapes: true).decoded(from: copy)[...]
  }
}

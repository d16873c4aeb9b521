import JSON

/// A JSON value as far as texts and numbers are told from everything else.
enum ValueText {
  /// What a string stands for.
  case string(ArraySlice<UInt8>)
  /// A number as it is written.
  case number(ArraySlice<UInt8>)
  case other

  /// Reads a valid value, white space around it aside.
  ///
  /// - Complexity: O(length of the value); a string without escapes is not copied.
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

  /// What the bytes between two quotes stand for.
  static func decoded(_ inside: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard inside.contains(UInt8(ascii: "\\")) else { return inside }
    let copy = Array(inside)
    return JSONString(range: copy.indices, hasEscapes: true).decoded(from: copy)[...]
  }
}
